import type { BrokenBinding } from '@errand/document';
import { isRecord } from '@errand/wire';
import { z } from 'zod';
import { assistantSchema } from './assistant-schema.ts';
import { bindingsIn, brokenBinding, isMeantAsBindings } from './broken-bindings.ts';
import { serverSchema } from './server-schema.ts';
import { formatPath, type Report, type SettingsPath } from './settings-problem.ts';
import { settingsSchema } from './settings-schema.ts';

const fileSchema = z.object({
  version: z.unknown(),
  mcpServers: z.array(serverSchema),
  ...settingsSchema.shape,
  assistants: z.array(assistantSchema),
});

/**
 * Warns of keys that no schema knows. They stay in the file. One that was to be `sectionBindings` forbids the
 * sections it names; those are returned.
 */
export function findUnknownKeys(file: unknown, report: Report): readonly BrokenBinding[] {
  const brokenBindings: BrokenBinding[] = [];
  compare(file, fileSchema, [], ({ path, value, known, server }) => {
    const key = String(path.at(-1));
    if (!isMeantAsBindings(key, value)) {
      const message = `Errand does not know this key; it is kept and does nothing. Known here: ${known.join(', ')}.`;
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
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap());
  }
  return schema;
}
