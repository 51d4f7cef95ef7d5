import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import { type Condition, conditionSchema, hookSchema, type Trigger } from '../hook-schema.ts';
import { contextFields, neededFields } from './context-fields.ts';
import { dryRun, explain } from './explain.ts';
import { failedCondition } from './failed-condition.ts';
import { importHooks } from './import-hooks.ts';
import { parseHooks } from './parse-hooks.ts';
import { renderText } from './render-text.ts';
import { resolveMappings } from './resolve-mappings.ts';

// Events come from strangers: bodies of HTTP requests, mails, names of files and tools.

const name = fc.oneof(
  fc.constantFrom(
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    '',
    '0',
    'branch',
    'a.b',
    '$&',
  ),
  fc.string({ maxLength: 8 }),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -0,
      1e308,
      Number.NaN,
      '',
      '{{ branch }}',
      '{% raw %}',
      `$\{secret:x}`,
      '\u0000',
      '\uD800',
      'x'.repeat(5_000),
    ),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: false }),
  ),
})).value;
const fields = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((entries): Readonly<Record<string, unknown>> => Object.fromEntries(entries));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.') || 'x');
const holdsTest = fc.oneof(
  fc.record({ equals: fc.oneof(fc.string(), fc.integer(), fc.boolean()) }),
  fc.record({ in: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }),
  fc.record({ matches: fc.constantFrom('^(a+)+$', '.', '^$', 'x{1,50}', '\\w') }),
  fc.record({ glob: fc.constantFrom('**', '*', 'a/**/*?', '*x*x*x*') }),
  fc.record({ exists: fc.boolean() }),
);
const condition = fc
  .tuple(path, holdsTest, fc.boolean())
  .map(([field, rest, not]): Condition => conditionSchema.parse({ field, ...rest, not }));
const template = fc.oneof(
  path.map((one) => `{{ ${one} }}`),
  path.map((one) => `a {{ ${one} | upcase }} b {{ branch }}`),
  fc.string(),
  fc
    .array(fc.constantFrom('{{', '}}', '|', '.', '[', ']', '"', 'branch', ' ', '{%', '-', ':'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
);

const ownPrototype = Object.getOwnPropertyNames(Object.prototype).join();

test('conditions never throw, never change the fields, and are decided one way or the other', () => {
  fc.assert(
    fc.property(fields, condition, (given, one) => {
      const before = JSON.stringify(given);
      const negated: Condition = { ...one, not: !one.not };
      const [fails, failsNegated] = [one, negated].map((each) => failedCondition([each], given));
      if (fails?.problem === undefined) {
        expect(fails === undefined).toBe(failsNegated !== undefined);
      }
      expect(JSON.stringify(given)).toBe(before);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('templates never throw, and read nothing that the event did not bring', () => {
  fc.assert(
    fc.property(fields, template, (given, text) => {
      const rendered = renderText(text, given);
      const shown = 'value' in rendered ? rendered.value : rendered.problem;
      expect(typeof shown).not.toBe('function');
      expect(JSON.stringify(shown) ?? '').not.toContain('[native code]');
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('mappings never throw, and give own plain parameters', () => {
  const schema = fc.constantFrom<unknown>(
    undefined,
    {},
    { properties: { a: { type: 'string' }, __proto__: { type: 'object' } }, required: ['a'] },
    {
      properties: { a: { type: 'array', items: { type: 'integer' } } },
      additionalProperties: false,
    },
    { properties: 5, required: 'x' },
    { $ref: '#' },
  );
  const mapping = fc.record({
    toolParam: fc.oneof(name, fc.constant('a')),
    source: fc.constantFrom('context', 'literal', 'template'),
    value: fc.oneof(path, template),
  });
  fc.assert(
    fc.property(fields, fc.array(mapping, { maxLength: 4 }), schema, (given, mappings, tool) => {
      const { parameters } = resolveMappings(mappings, given, tool);
      expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
      expect(() => JSON.stringify(parameters)).not.toThrow();
    }),
    { seed: 1, numRuns: 300 },
  );
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(ownPrototype);
});

test('whatever a file holds, it is hooks and problems', () => {
  const entry = fc.oneof(
    value,
    fc.record({ id: value, name: value, trigger: value, conditions: value, actions: value }),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 3 }), (hooks) => {
      const { hooks: read, problems } = parseHooks(JSON.stringify({ version: 1, hooks }));
      expect(read.length).toBeLessThanOrEqual(hooks.length);
      if (read.length < hooks.length) expect(problems.length).toBeGreaterThan(0);
      for (const { line, column } of problems) expect(line * column).toBeGreaterThan(0);
      const imported = hooks.map((one) => ({ name: 'x', trigger: {}, action: one }));
      importHooks(JSON.stringify(imported), { existing: [], createId: () => 'new' });
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('values of 10 MB and of a hundred thousand levels are met in time', async () => {
  const large = 'a'.repeat(10_000_000);
  let deep: unknown = 'end';
  for (let level = 0; level < 100_000; level++) deep = { deep };
  const given = { large, deep, list: Array.from({ length: 1_000_000 }, () => 'x') };
  const trigger: Trigger = { kind: 'file', events: ['created'], glob: '*'.repeat(1_000) };
  const event: HookEvent = {
    id: 'e',
    kind: 'file',
    at: 0,
    fields: { ...given, file: { event: 'created', path: large } },
  };
  const conditions: Condition[] = ['large', 'deep', 'list', 'deep.deep.deep'].flatMap((field) => [
    { field, matches: '^(a+)+$' },
    { field, glob: '*a*a*a*a*b' },
    { field, equals: 'x' },
    { field, in: ['y', 'z'] },
  ]);
  const hook = hookSchema.parse({
    id: 'a',
    name: 'A',
    trigger,
    conditions,
    actions: [{ type: 'custom', parameters: { command: 'x', args: ['{{ large }}{{ list }}'] } }],
  });
  const ports = { workspacePath: '/', git: async () => large };
  const collected = await contextFields(event, neededFields(hook), ports);
  expect(Object.keys(collected).sort()).toEqual(['deep', 'large', 'list']);
  dryRun(hook, { event, fields: collected });
  expect(JSON.stringify(explain(hook, [{ event, fields: collected }], 0)).length).toBeLessThan(
    5_000,
  );
  for (const source of ['large', 'list', 'deep']) {
    renderText(`{{ ${source} }}`, given);
    renderText(`{{ ${source} }} and {{ ${source} }}`, given);
    const mapping = { toolParam: 'p', source: 'context', value: source } as const;
    resolveMappings([mapping], given, {
      properties: { p: { type: 'array', items: { type: 'integer' } } },
    });
  }
}, 60_000);
