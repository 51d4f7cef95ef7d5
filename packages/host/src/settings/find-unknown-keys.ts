import { z } from 'zod';
import { assistantSchema } from './assistant-schema.ts';
import { isRecord } from './is-record.ts';
import { sectionBindingSchema } from './section-binding-schema.ts';
import { serverSchema } from './server-schema.ts';
import type { Report, SettingsPath } from './settings-problem.ts';
import { settingsSchema } from './settings-schema.ts';

const entrySchema = z.object({
  ...serverSchema.shape,
  sectionBindings: z.array(sectionBindingSchema),
});

const fileSchema = z.object({
  version: z.unknown(),
  mcpServers: z.array(entrySchema),
  ...settingsSchema.shape,
  assistants: z.array(assistantSchema),
});

/** Warns of keys that no schema knows. They stay in the file. */
export function findUnknownKeys(file: unknown, report: Report): void {
  compare(file, fileSchema, [], report);
}

function compare(
  value: unknown,
  schema: unknown,
  path: SettingsPath,
  report: Report,
  server?: string,
): void {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      compare(element, inner.element, [...path, index], report, server);
    }
  }
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return;
  const isServer = path.length === 2 && path[0] === 'mcpServers';
  const name = isServer && typeof value.name === 'string' ? value.name : server;
  const known = Object.keys(inner.shape);
  for (const [key, part] of Object.entries(value)) {
    if (known.includes(key)) {
      compare(part, inner.shape[key], [...path, key], report, name);
    } else {
      const message = `Errand does not know this key; it is kept and does nothing. Known here: ${known.join(', ')}.`;
      report('warning', [...path, key], message, name);
    }
  }
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap());
  }
  return schema;
}
