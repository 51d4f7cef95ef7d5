import { expect, test } from 'vitest';
import type { Condition } from '../hook-schema.ts';
import { failedCondition } from './failed-condition.ts';

const fields = {
  branch: '012-search',
  count: 3,
  done: false,
  nothing: null,
  file: { path: 'specs/012/plan.md' },
  labels: ['bug', 'mail'],
  actions: [{ output: { id: 7 } }],
};

test.each<[Condition, boolean]>([
  [{ field: 'branch', equals: '012-search' }, true],
  [{ field: 'branch', equals: 'main' }, false],
  [{ field: 'branch', equals: 'main', not: true }, true],
  [{ field: 'branch', equals: 'main', not: false }, false],
  [{ field: 'count', equals: 3 }, true],
  [{ field: 'count', equals: '3' }, true],
  [{ field: 'done', equals: false }, true],
  [{ field: 'done', equals: true }, false],
  [{ field: 'actions[0].output.id', equals: 7 }, true],
  [{ field: 'actions[1].output.id', equals: 7 }, false],
  [{ field: 'branch', in: ['main', '012-search'] }, true],
  [{ field: 'count', in: [1, 2] }, false],
  [{ field: 'labels', equals: 'mail' }, true],
  [{ field: 'labels', in: ['x', 'bug'] }, true],
  [{ field: 'labels', equals: 'bug', not: true }, false],
  [{ field: 'branch', matches: '^[0-9]{3}-' }, true],
  [{ field: 'branch', matches: '^main$' }, false],
  [{ field: 'branch', matches: '(' }, false],
  [{ field: 'file.path', glob: 'specs/**' }, true],
  [{ field: 'file.path', glob: 'specs/*' }, false],
  [{ field: 'branch', exists: true }, true],
  [{ field: 'nothing', exists: true }, false],
  [{ field: 'missing', exists: false }, true],
  [{ field: 'missing', equals: 'x', not: true }, true],
])('%j holds: %s', (condition, expected) => {
  expect(failedCondition([condition], fields) === undefined).toBe(expected);
});

test('a value that is too long for a pattern fails with how much is tested, negated or not', () => {
  const long = { body: `${'a'.repeat(100_000)}b` };
  for (const not of [false, true]) {
    expect(failedCondition([{ field: 'body', matches: 'b', not }], long)).toMatchObject({
      problem: expect.stringContaining('more than 100,000 characters'),
    });
  }
  const fitting = { body: `${'a'.repeat(99_000)}b` };
  expect(failedCondition([{ field: 'body', matches: 'b$' }], fitting)).toBeUndefined();
});

test('gives the first condition that fails, with what the field is', () => {
  const conditions: Condition[] = [
    { field: 'count', equals: 3 },
    { field: 'branch', equals: 'main' },
    { field: 'done', equals: true },
  ];
  const failed = failedCondition(conditions, fields);
  expect(failed).toEqual({ condition: conditions[1], actual: '012-search' });
});

test.each(['constructor', '__proto__', 'toString', 'file.constructor', 'labels.length', ''])(
  '%j is no context field (fault 5 of the origin)',
  (field) => {
    const hasField = failedCondition([{ field, exists: true }], fields) === undefined;
    expect(hasField).toBe(field === 'labels.length');
  },
);
