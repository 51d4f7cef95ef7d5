import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fileSchema } from './interpret-settings.ts';
import { readSettings } from './read-settings.ts';
import { sectionBindingSchema } from './section-binding-schema.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');
const examples = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => text);

interface Key {
  /** The heading of its table, such as `mcpServers[].localConfig`. */
  readonly place: string;
  readonly key: string;
  /** As JSON; undefined when the schema has none. */
  readonly usual: string | undefined;
  readonly isRequired: boolean;
}

const keys = keysOf(fileSchema, '');

test.each(keys)(
  'docs/settings.md has $key of "$place" with its default',
  ({ place, key, usual, isRequired }) => {
    const heading = place === '' ? 'The whole vault' : `\`${place}\``;
    const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
    const [, cell, meaning] =
      new RegExp(`^\\| \`${key}\` \\| (.+?) \\| (.+) \\|$`, 'm').exec(section) ?? [];
    expect(meaning, 'its meaning').toBeTruthy();
    if (usual !== undefined) expect(cell).toBe(`\`${usual}\``);
    else if (isRequired) expect(cell).toMatch(/^(?:required|derived from the name|`1`|`\[\]`)$/);
    else expect(cell).not.toMatch(/^required/);
  },
);

test('docs/settings.md names no key that is not there', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
  const known = new Set(keys.map(({ key }) => key));
  expect(rows.filter((key) => key !== undefined && !known.has(key))).toEqual([]);
});

test.each(examples)('an example of docs/settings.md is accepted without a complaint', (example) => {
  expect(readSettings(example, 'settings.json').problems).toEqual([]);
});

test('the examples of docs/settings.md use every key', () => {
  const used = new Set(
    examples.flatMap((example) => [...example.matchAll(/"(\w+)":/g)]).map(([, key]) => key),
  );
  expect(
    keys.filter(({ key }) => !used.has(key)).map(({ place, key }) => `${place}.${key}`),
  ).toEqual([]);
});

/** The keys of an object and of all objects in it, except where two places share a schema. */
function keysOf(schema: z.ZodObject, place: string): readonly Key[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const usual =
      field instanceof z.ZodDefault ? JSON.stringify(field.def.defaultValue) : undefined;
    const isRequired = !(field instanceof z.ZodDefault || field instanceof z.ZodExactOptional);
    const path = place === '' ? key : `${place}.${key}`;
    return [{ place, key, usual, isRequired }, ...innerKeys(key, field, path)];
  });
}

function innerKeys(key: string, field: unknown, path: string): readonly Key[] {
  if (
    field instanceof z.ZodDefault ||
    field instanceof z.ZodExactOptional ||
    field instanceof z.ZodNullable
  ) {
    return innerKeys(key, field.unwrap(), path);
  }
  // Its entries are like `mail`.
  if (key === 'sharedMailboxes') return [];
  // Bindings are read one by one.
  if (key === 'sectionBindings') return keysOf(sectionBindingSchema, `${path}[]`);
  if (field instanceof z.ZodArray) return innerKeys('', field.element, `${path}[]`);
  return field instanceof z.ZodObject && key !== 'sseConfig' ? keysOf(field, path) : [];
}
