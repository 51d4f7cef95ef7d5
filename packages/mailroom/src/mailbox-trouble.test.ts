import type { Notice } from '@errand/host';
import { expect, test } from 'vitest';
import { MailboxTrouble } from './mailbox-trouble.ts';
import { ToolFailure } from './mcp-client.ts';

function open() {
  const notices: Notice[] = [];
  const told: string[] = [];
  const faults: unknown[] = [];
  const trouble = new MailboxTrouble({
    notifier: { notify: (notice) => void notices.push(notice) },
    emit: (event) => void (event.kind === 'state-changed' && told.push(event.state)),
    onFault: (error) => void faults.push(error),
  });
  return { trouble, notices, told, faults };
}

const disk = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });

test.each<[Error, NonNullable<MailboxTrouble['state']>]>([
  [new ToolFailure('auth_required', 'Log in.'), 'login-lost'],
  [new ToolFailure('rate_limited', 'Slow down.'), 'unreachable'],
  [new ToolFailure('mcp_unavailable', 'Gone.'), 'unreachable'],
  [new ToolFailure('internal_error', 'Broken.', { system_code: 'EROFS' }), 'unwritable'],
  [new Error('wrapped', { cause: disk }), 'unwritable'],
])('%s makes it a state, told once however often it happens', (error, state) => {
  const { trouble, notices, told } = open();
  for (const _ of [1, 2, 3]) trouble.note(error);
  expect(trouble.state).toBe(state);
  expect(notices).toHaveLength(1);
  expect(told).toEqual([state]);
  trouble.tell(state);
  expect(told).toEqual([state]);
  trouble.clear();
  // That Gmail answers says nothing about the disk.
  expect(trouble.state).toBe(state === 'unwritable' ? state : undefined);
  trouble.clearDisk();
  expect(trouble.state).toBeUndefined();
  trouble.tell('running');
  expect(told).toEqual([state, 'running']);
});

test('a failure of one mail is no state, and told once for each message', () => {
  const { trouble, notices } = open();
  for (const message of ['No such mail m1.', 'No such mail m1.', 'No such mail m2.'])
    trouble.note(new ToolFailure('not_found', message));
  expect(trouble.state).toBeUndefined();
  expect(notices.map(({ message }) => message)).toEqual(['No such mail m1.', 'No such mail m2.']);
});

test('a fault that every waiting mail has is told once, and again after the mailbox has answered', () => {
  const { trouble, faults, notices } = open();
  const fault = () => new Error('The model is down.');
  for (const _ of [1, 2, 3]) trouble.note(fault());
  expect(faults).toHaveLength(1);
  trouble.clear();
  trouble.note(fault());
  expect(faults).toHaveLength(2);
  expect(notices).toEqual([]);
});
