import { isRecord } from '@errand/wire';
import { editJson } from './edit-json.ts';
import { parseJson } from './parse-json.ts';
import { settingsSchema } from './settings-schema.ts';

const keys: readonly string[] = [
  'version',
  'mcpServers',
  'assistants',
  ...Object.keys(settingsSchema.shape),
];

/** Whether a JSON text says anything that settings say; a text that cannot be read may. */
export function holdsSettings(text: string, file: string): boolean {
  const value = parsed(text, file);
  if (!isRecord(value)) return true;
  return keys.some((key) => key !== 'version' && key in value && !isEmptyList(value[key]));
}

/** A JSON text without its settings; undefined when nothing else is in it. */
export function withoutSettings(text: string, file: string): string | undefined {
  const value = parsed(text, file);
  if (!isRecord(value)) return undefined;
  if (Object.keys(value).every((key) => keys.includes(key))) return undefined;
  return editJson(
    text,
    keys.filter((key) => key in value).map((key) => ({ path: [key], value: undefined })),
  );
}

function parsed(text: string, file: string): unknown {
  try {
    return parseJson(text, file).value;
  } catch {
    return undefined;
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
