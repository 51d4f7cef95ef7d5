import type { BrokenBinding } from '@errand/document';
import { isRecord } from '@errand/wire';
import { z } from 'zod';
import { HostError } from '../host-error.ts';
import type { Settings } from '../settings.ts';
import type { LoadedSettings } from '../settings-store.ts';
import { assistantSchema } from './assistant-schema.ts';
import { bindingsIn, brokenBinding, isMeantAsBindings } from './broken-bindings.ts';
import type { JsonDocument } from './parse-json.ts';
import { readAssistants } from './read-assistants.ts';
import { type LocatedEntry, readEntries } from './read-entries.ts';
import { serverSchema } from './server-schema.ts';
import {
  formatPath,
  type Report,
  reportIssues,
  type SettingsPath,
  type SettingsProblem,
} from './settings-problem.ts';
import { settingsSchema } from './settings-schema.ts';

/** Settings, and where each entry that could be read stands in the file. */
interface InterpretedSettings {
  readonly settings: LoadedSettings;
  readonly entries: readonly LocatedEntry[];
}

/** Reads what can be read of a settings file and says what cannot. Throws only when it is not ours. */
export function interpretSettings(document: JsonDocument, file: string): InterpretedSettings {
  const { value } = document;
  if (!isRecord(value)) throw refuse(document, file, 'settings are an object: write {} into it.');
  checkVersion(value.version, document, file);
  const repeated = document.repeatedKeys.find((path) => path.length === 1);
  if (repeated !== undefined) {
    throw refuse(
      document,
      file,
      `"${repeated[0]}" is written twice; delete one of them.`,
      repeated,
    );
  }

  const problems: SettingsProblem[] = [];
  const report: Report = (level, path, message, { server, advice, usedInstead } = {}) => {
    problems.push({
      level,
      path: formatPath(path),
      ...document.locate(path),
      message,
      ...(advice !== undefined && { advice }),
      ...(usedInstead !== undefined && { usedInstead }),
      ...(server !== undefined && { server, file }),
    });
  };
  const values = readValues(value, report);
  const { entries, brokenBindings } = readEntries(value.mcpServers, document, report);
  const assistants = readAssistants(value.assistants, report);
  const strayBindings = findUnknownKeys(value, report);
  return {
    settings: {
      ...values,
      mcpServers: entries.map(({ server }) => server),
      assistants,
      problems,
      brokenBindings: [...brokenBindings, ...strayBindings],
    },
    entries,
  };
}

function refuse(document: JsonDocument, file: string, mistake: string, path: SettingsPath = []) {
  const { line, column } = document.locate(path);
  return new HostError(
    'settings_invalid',
    `${file}, line ${line}, column ${column}: ${mistake} The file was left as it is.`,
    { line, column, ...(path.length > 0 && { path: formatPath(path) }) },
  );
}

function checkVersion(version: unknown, document: JsonDocument, file: string): void {
  if (version === undefined || version === 1) return;
  const mistake =
    typeof version === 'number' && version > 1
      ? `these settings have version ${version}, made by a newer Errand than this one, which reads version 1. Update Errand.`
      : 'the version of these settings is not known. Write "version": 1.';
  throw refuse(document, file, mistake, ['version']);
}

function readValues(raw: Readonly<Record<string, unknown>>, report: Report) {
  const values: Record<string, unknown> = { version: 1 };
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const result = schema.safeParse(raw[key]);
    values[key] = result.success ? result.data : schema.parse(undefined);
    if (!result.success) {
      const usedInstead = JSON.stringify(values[key]);
      reportIssues(result.error, [key], (level, path, message) =>
        report(level, path, message, { usedInstead }),
      );
    }
  }
  // Every key of the shape is filled, by its value or its default.
  return values as unknown as Omit<Settings, 'mcpServers' | 'assistants'>;
}

/** Everything that a settings file may hold. */
export const fileSchema = z.object({
  version: z.unknown(),
  mcpServers: z.array(serverSchema),
  ...settingsSchema.shape,
  assistants: z.array(assistantSchema),
});

/**
 * Warns of keys that no schema knows. They stay in the file. One that was to be `sectionBindings` forbids the
 * sections it names; those are returned.
 */
function findUnknownKeys(file: unknown, report: Report): readonly BrokenBinding[] {
  const brokenBindings: BrokenBinding[] = [];
  compare(file, fileSchema, [], ({ path, value, known, server }) => {
    const key = String(path.at(-1));
    if (!isMeantAsBindings(key, value)) {
      const message = `Unknown key; it is kept but has no effect. Known here: ${known.join(', ')}.`;
      report('warning', path, message, { server });
      return;
    }
    const message = 'Write "sectionBindings", in the entry of a server.';
    report('error', path, message, { server });
    const why = `${formatPath(path)}: ${message}`;
    brokenBindings.push(...bindingsIn(value).map((each) => brokenBinding(each, why, server)));
  });
  return brokenBindings;
}

interface UnknownKey {
  readonly path: SettingsPath;
  readonly value: unknown;
  readonly known: readonly string[];
  readonly server: string | undefined;
}

function compare(
  value: unknown,
  schema: unknown,
  path: SettingsPath,
  onUnknown: (unknown: UnknownKey) => void,
  server?: string,
): void {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      compare(element, inner.element, [...path, index], onUnknown, server);
    }
  }
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return;
  const isServer = path.length === 2 && path[0] === 'mcpServers';
  const name = isServer && typeof value.name === 'string' ? value.name : server;
  const known = Object.keys(inner.shape);
  for (const [key, part] of Object.entries(value)) {
    if (known.includes(key)) {
      compare(part, inner.shape[key], [...path, key], onUnknown, name);
    } else {
      onUnknown({ path: [...path, key], value: part, known, server: name });
    }
  }
}

function unwrap(schema: unknown): unknown {
  if (
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  ) {
    return unwrap(schema.unwrap());
  }
  return schema;
}
