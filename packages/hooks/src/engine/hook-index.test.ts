import { expect, test } from 'vitest';
import { triggerMatches } from '../definitions/trigger-matches.ts';
import type { HookEvent } from '../hook-event.ts';
import { testHook } from '../testing/open-engine.ts';
import { HookIndex } from './hook-index.ts';

const file = (glob: string) => ({ kind: 'file', events: ['created', 'changed'], glob });
const hooks = [
  file('Inbox/*.md'),
  file('Inbox/**'),
  file('**/*.md'),
  file('*.md'),
  file('In?ox/a.md'),
  file('a.md'),
  file('In*/a.md'),
  file('constructor/*'),
  { kind: 'call' },
  { kind: 'call', tool: 'send' },
  { kind: 'call', server: 'mail', status: ['error'] },
  { kind: 'git', events: ['commit', 'tag'] },
  { kind: 'server', events: ['lost'] },
  { kind: 'mail', events: ['sent'] },
  { kind: 'agent-operation', agent: 'speckit', operation: 'plan', timing: 'after' },
  { kind: 'manual' },
].map((trigger, n) => testHook({ id: `h${n}`, name: `Hook ${n}`, trigger }));
const path = (name: string) => ({ filePath: name, file: { event: 'created', path: name } });
const plan = { agent: 'speckit', operation: 'plan', timing: 'after' };

test.each<[HookEvent['kind'], HookEvent['fields'], number]>([
  ['file', path('Inbox/a.md'), 5],
  ['file', path('a.md'), 3],
  ['file', path('Inbox/deep/b.txt'), 1],
  ['file', path('constructor/x'), 1],
  ['file', { filePath: 'Inbox/a.md', file: { event: 'changed' } }, 5],
  ['file', { file: { event: 'created', path: 5 } }, 0],
  ['call', { call: { tool: 'send', server: 'mail', status: 'error' } }, 3],
  ['call', {}, 1],
  ['git', { git: { event: 'tag' } }, 1],
  ['server', { server: { event: 'connected' } }, 0],
  ['mail', { mail: { event: 'sent' } }, 1],
  ['agent-operation', plan, 1],
  ['manual', {}, 0],
])('finds the hooks for %s %j in the order of their file', (kind, fields, count) => {
  const event = { id: 'e', kind, at: 0, fields };
  const found = new HookIndex(hooks).waitingFor(event).map(({ hook }) => hook.id);
  expect(found).toHaveLength(count);
  const all = hooks.filter(({ trigger }) => triggerMatches(trigger, event));
  expect(found).toEqual(all.map(({ id }) => id));
});
