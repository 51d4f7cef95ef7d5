import { matchesGlob } from '@errand/document';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { triggerMatches } from './trigger-matches.ts';

const event = (kind: HookEvent['kind'], fields: object, hookId?: string): HookEvent => ({
  id: 'e',
  kind,
  at: 0,
  fields: { ...fields },
  ...(hookId !== undefined && { hookId }),
});

const plan: Trigger = {
  kind: 'agent-operation',
  agent: 'speckit',
  operation: 'plan',
  timing: 'after',
};
const inbox: Trigger = { kind: 'file', events: ['created', 'changed'], glob: 'Inbox/*.md' };
const main: Trigger = { kind: 'git', events: ['commit'], branch: 'main' };
const failed: Trigger = { kind: 'call', server: 'Mail', status: ['error', 'timeout'] };

test.each<[Trigger, HookEvent, boolean]>([
  [plan, event('agent-operation', { agent: 'speckit', operation: 'plan', timing: 'after' }), true],
  [
    plan,
    event('agent-operation', { agent: 'speckit', operation: 'plan', timing: 'before' }),
    false,
  ],
  [
    plan,
    event('agent-operation', { agent: 'openspec', operation: 'plan', timing: 'after' }),
    false,
  ],
  [inbox, event('file', { file: { event: 'created', path: 'Inbox/a.md' } }), true],
  [inbox, event('file', { file: { event: 'deleted', path: 'Inbox/a.md' } }), false],
  [inbox, event('file', { file: { event: 'changed', path: 'Inbox/sub/a.md' } }), false],
  [inbox, event('file', { file: { event: 'changed' }, filePath: 'Inbox/a.md' }), true],
  [inbox, event('file', { file: { event: 'changed', path: 5 } }), false],
  [inbox, event('git', { file: { event: 'changed', path: 'Inbox/a.md' } }), false],
  [main, event('git', { git: { event: 'commit', branch: 'main' } }), true],
  [main, event('git', { git: { event: 'commit' }, branch: 'main' }), true],
  [main, event('git', { git: { event: 'commit', branch: 'other' } }), false],
  [main, event('git', { git: { event: 'tag', branch: 'main' } }), false],
  [failed, event('call', { call: { server: 'mail', status: 'error' } }), true],
  [failed, event('call', { call: { serverId: 'Mail', server: 'x', status: 'timeout' } }), true],
  [failed, event('call', { call: { server: 'mail', status: 'success' } }), false],
  [failed, event('call', { call: { server: 'other', status: 'error' } }), false],
  [{ kind: 'call' }, event('call', {}), true],
  [{ kind: 'call', tool: 'constructor' }, event('call', { call: {} }), false],
  [{ kind: 'call', source: 'hook' }, event('call', { call: { source: 'hook' } }), true],
  [{ kind: 'server', events: ['lost'] }, event('server', { server: { event: 'lost' } }), true],
  [{ kind: 'server', events: ['lost'] }, event('server', {}), false],
  [{ kind: 'mail', events: ['sent'] }, event('mail', { mail: { event: 'sent' } }), true],
  [{ kind: 'http' }, event('http', {}, 'a'), true],
  [{ kind: 'http' }, event('http', {}), false],
  [{ kind: 'schedule', cron: '* * * * *', missed: 'skip' }, event('schedule', {}, 'a'), true],
  [{ kind: 'schedule', cron: '* * * * *', missed: 'skip' }, event('schedule', {}), false],
  [{ kind: 'manual' }, event('manual', {}, 'a'), true],
  [inbox, event('manual', {}, 'a'), true],
  [inbox, event('http', {}, 'a'), false],
])('%j on %j: %s', (trigger, given, expected) => {
  expect(triggerMatches(trigger, given)).toBe(expected);
});

test('a glob of a trigger fits what it fits anywhere else', () => {
  const piece = fc.constantFrom('*', '**', '**/', '?', '/', 'a', 'b', 'ab', '.md');
  const glob = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
  const path = fc
    .array(fc.constantFrom('a', 'b', '/', 'ab', '.md'), { maxLength: 6 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(glob, path, (pattern, given) => {
      const trigger: Trigger = { kind: 'file', events: ['created'], glob: pattern };
      const created = event('file', { file: { event: 'created', path: given } });
      expect(triggerMatches(trigger, created)).toBe(matchesGlob(pattern, given));
    }),
    { seed: 1, numRuns: 2_000 },
  );
});
