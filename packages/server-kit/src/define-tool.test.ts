import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from './define-tool.ts';

const tool = (name: string, input: z.ZodObject) =>
  defineTool({ name, description: '', input, handler: () => '' });

test.each(['', 'read-note', 'a.b', 'a/b', 'x'.repeat(65), 'ünder'])(
  'refuses the name "%s"',
  (name) => {
    expect(() => tool(name, z.object({}))).toThrow('is no tool name');
  },
);

test('accepts letters, digits and underscores', () => {
  expect(tool('read_note_2', z.object({})).name).toBe('read_note_2');
});

test.each([
  ['in a key', z.object({ filter: z.object({ a: z.string() }) }), 'filter'],
  ['in a list', z.object({ items: z.array(z.object({})).optional() }), 'items'],
  ['in a choice', z.object({ a: z.union([z.string(), z.object({})]).default('') }), 'a'],
  [
    'in a record',
    z.object({ a: z.strictObject({ b: z.record(z.string(), z.object({})) }) }),
    'a.b',
  ],
])('refuses an inner object that would drop unknown keys: %s', (_, input, path) => {
  expect(() => tool('x', input)).toThrow(`The object at ${path} in the input of "x"`);
});

test('accepts inner objects that say what they do with unknown keys', () => {
  const input = z.object({ a: z.strictObject({}), b: z.looseObject({}), c: z.json() });
  expect(tool('x', input).input.safeParse({ a: { y: 1 }, b: { y: 1 }, c: 1 }).success).toBe(false);
  expect(tool('x', input).input.safeParse({ a: {}, b: { y: 1 }, c: 1 }).success).toBe(true);
});
