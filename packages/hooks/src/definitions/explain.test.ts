import { expect, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import { type Hook, hookSchema, type Trigger } from '../hook-schema.ts';
import { dryRun, exampleEvent, explain } from './explain.ts';
import { triggerMatches } from './trigger-matches.ts';

const hook = (more: object = {}): Hook =>
  hookSchema.parse({
    id: 'a',
    name: 'First',
    trigger: { kind: 'file', events: ['created'], glob: 'Inbox/*.md' },
    conditions: [
      { field: 'branch', matches: '^[0-9]{3}-' },
      { field: 'fileName', equals: 'a.md' },
    ],
    actions: [{ type: 'custom', parameters: { command: 'true' } }],
    ...more,
  });

const saved = (id: string, path: string, at: number): HookEvent => ({
  id,
  at,
  kind: 'file',
  fields: { filePath: path, file: { event: 'created', path } },
});

test('names the condition that kept a hook from running, with the value that the field had', () => {
  const events = [
    { event: saved('1', 'Inbox/a.md', 1), fields: { branch: 'main', fileName: 'a.md' } },
    { event: saved('2', 'Other/a.md', 2) },
    { event: saved('3', 'Inbox/a.md', 3), fields: { branch: '012-x', fileName: 'a.md' } },
    { event: { ...saved('4', 'x', 4), kind: 'git' as const } },
  ];
  expect(explain(hook(), events, 0)).toEqual({
    isEnabled: true,
    events: [
      { eventId: '3', at: 3, kind: 'runs' },
      {
        eventId: '2',
        at: 2,
        kind: 'trigger',
        field: 'file.path',
        expected: 'Inbox/*.md',
        actual: 'Other/a.md',
      },
      {
        eventId: '1',
        at: 1,
        kind: 'condition',
        condition: { field: 'branch', matches: '^[0-9]{3}-' },
        actual: 'main',
      },
    ],
  });
});

test('says that no event came, and what would be one', () => {
  const { events, example } = explain(hook({ enabled: false }), [], 0);
  expect(events).toEqual([]);
  expect(example?.fields).toMatchObject({ file: { event: 'created', path: 'Inbox/example.md' } });
});

test.each<Trigger>([
  { kind: 'agent-operation', agent: 'speckit', operation: 'plan', timing: 'after' },
  { kind: 'file', events: ['changed'], glob: 'a/**/b?.md' },
  { kind: 'file', events: ['changed'], glob: '**' },
  { kind: 'git', events: ['tag'], branch: 'main' },
  { kind: 'call', server: 'mail', tool: 'send', status: ['error'], source: 'command' },
  { kind: 'call' },
  { kind: 'server', events: ['lost'] },
  { kind: 'mail', events: ['sent'] },
  { kind: 'schedule', cron: '* * * * *', missed: 'skip' },
  { kind: 'http' },
  { kind: 'manual' },
])('the example for %j fits it', (trigger) => {
  expect(triggerMatches(trigger, exampleEvent(trigger, 0))).toBe(true);
});

test('the example of a schedule has its next time', () => {
  const trigger = { kind: 'schedule', cron: '0 7 * * 1-5', timeZone: 'Europe/Berlin' } as const;
  const now = Date.parse('2026-03-28T12:00:00Z');
  expect(exampleEvent({ ...trigger, missed: 'skip' }, now).fields).toEqual({
    schedule: {
      cron: '0 7 * * 1-5',
      timeZone: 'Europe/Berlin',
      at: '2026-03-30T05:00:00.000Z',
      lateMs: 0,
      missed: 0,
    },
  });
});

test('a dry run tests every condition', () => {
  const fields = { branch: 'main', fileName: 'x'.repeat(1_000) };
  const { conditions, wouldRun, mismatch } = dryRun(hook(), {
    event: saved('1', 'Inbox/a.md', 1),
    fields,
  });
  expect({ wouldRun, mismatch }).toEqual({ wouldRun: false, mismatch: undefined });
  expect(conditions.map(({ holds }) => holds)).toEqual([false, false]);
  expect(String(conditions[1]?.actual).length).toBe(201);
  const fine = { branch: '012-x', fileName: 'a.md' };
  expect(dryRun(hook(), { event: saved('1', 'Inbox/a.md', 1), fields: fine }).wouldRun).toBe(true);
  expect(dryRun(hook(), { event: saved('1', 'x.md', 1), fields: fine }).wouldRun).toBe(false);
});

test('shows no large values', () => {
  const body = { deep: 'x'.repeat(100_000) };
  const conditions = [{ field: 'body', equals: 'x' }];
  const event = { ...saved('1', 'Inbox/a.md', 1) };
  const result = explain(hook({ conditions }), [{ event, fields: { body } }], 0);
  expect(JSON.stringify(result).length).toBeLessThan(500);
  const list = Array.from({ length: 100_000 }, (_, index) => index);
  const listed = explain(hook({ conditions }), [{ event, fields: { body: list } }], 0);
  expect(JSON.stringify(listed).length).toBeLessThan(500);
});
