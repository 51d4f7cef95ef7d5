import type { FlowContext } from '@errand/jobs';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from './draft-note.ts';
import type { Mailbox } from './mailbox.ts';
import { ToolFailure } from './mcp-client.ts';
import { type AttemptResult, sendFlow } from './send-flow.ts';
import { openPorts } from './testing/open-ports.ts';

const path = 'Approved/a.md';
const draft = {
  type: 'draft_reply',
  status: 'pending_approval',
  draft_id: 'd1',
  reply_to_message_id: 'm1',
  to: 'ada@example.org',
  subject: 'Re: Hi',
};
const mail = { type: 'email', status: 'pending', message_id: 'm1', from: 'ada@example.org' };
const context = {
  step: (_: string, run: (signal: AbortSignal) => unknown) => run(new AbortController().signal),
} as unknown as FlowContext;

/** An approved draft whose attempt has been begun, and the mail that it answers. */
async function begin(answers: Partial<Mailbox> = {}, more: object = {}) {
  const place = openPorts(onTestFinished, answers);
  place.write(path, { ...draft, ...more });
  place.write('Needs_Action/mail.md', mail);
  const note = await place.notes.read(path);
  const digest = note === undefined ? '' : digestOf(note);
  place.write(path, { ...draft, approved_hash: digest, ...more });
  const run = async (mayNotSend?: string) => {
    const { run: attempt } = sendFlow({ ...place.ports, mayNotSend: async () => mayNotSend });
    const result = await attempt({ path, digest, draftId: 'd1' }, context);
    return (result as AttemptResult).outcome;
  };
  return { ...place, digest, run };
}

test('what is sent is filed with its mail, labelled, logged and told', async () => {
  const place = await begin({}, { send_attempts: 2, last_error: 'Down.', send_state: 'pending' });
  expect(await place.run()).toBe('sent');
  expect(place.paths()).toEqual(['Done/a.md', 'Done/mail.md']);
  const values = await place.values('Done/a.md');
  expect(values).toMatchObject({ status: 'done', sent_message_id: 's1', thread_id: 't1' });
  for (const key of ['last_error', 'send_state', 'changed_after_sending'])
    expect(values).not.toHaveProperty(key);
  expect(await place.values('Done/mail.md')).toMatchObject({ status: 'done' });
  expect(place.calls.filter((name) => name === 'send' || name === 'label')).toEqual([
    'send',
    'label',
  ]);
  expect(place.logged).toMatchObject([
    { event: 'email_sent', draft_id: 'd1', message_id: 'm1', sent_message_id: 's1' },
  ]);
  expect(place.told).toEqual(['mail-sent Done/a.md']);
});

type Place = Awaited<ReturnType<typeof begin>>;

test.each<[string, (place: Place) => void]>([
  ['was taken back', ({ move }) => move(path, 'Drafts/a.md')],
  ['was deleted', ({ remove }) => remove(path)],
  ['was rejected', ({ write }) => write(path, { ...draft, decision: 'rejected' })],
  ['is known to have left', ({ write }) => write(path, { ...draft, sent_message_id: 's0' })],
])('a draft that %s before its attempt runs is not sent, and stays as it is', async (_, act) => {
  const place = await begin();
  act(place);
  const before = place.paths();
  expect(await place.run()).toBe('left');
  expect(place.calls).toEqual([]);
  expect(place.paths()).toEqual(before);
  expect(place.logged).toEqual([]);
});

test('an attempt that was begun before a pause, or before another machine took over, sends nothing', async () => {
  const place = await begin();
  for (const why of ['paused', 'elsewhere']) expect(await place.run(why)).toBe('left');
  expect(place.calls).toEqual([]);
  expect(place.paths()).toContain(path);
  expect(await place.run()).toBe('sent');
});

test('a text that was typed between the approval and the attempt is not sent, and asks again', async () => {
  const place = await begin();
  place.write(path, { ...draft, approved_hash: place.digest, bcc: 'eve@example.org' });
  expect(await place.run()).toBe('changed');
  expect(place.calls).not.toContain('send');
  expect(place.paths()).toContain('Drafts/a.md');
  const values = await place.values('Drafts/a.md');
  expect(values).toMatchObject({ approval: 'changed' });
  expect(values).not.toHaveProperty('approved_hash');
  expect(place.logged).toMatchObject([{ event: 'approval_withdrawn', draft_id: 'd1' }]);
  expect(place.notices).toMatchObject([{ level: 'warning' }]);
});

const fail = (code: string, details = {}) => ({
  send: () => Promise.reject(new ToolFailure(code, 'No.', details)),
});
const at = (minutes: number) => new Date(Date.UTC(2026, 1, 3, 12, minutes)).toISOString();
const yesterday = { first_attempt_at: '2026-02-02T11:00:00.000Z', send_attempts: 7 };

test.each<[string, Partial<Mailbox>, object, object, boolean]>([
  ['Gmail is busy', fail('rate_limited'), {}, { next_try_at: at(1) }, false],
  [
    'Gmail says when to come again',
    fail('rate_limited', { retry_after: 600 }),
    {},
    { next_try_at: at(10) },
    false,
  ],
  [
    'it failed twice',
    fail('rate_limited'),
    { send_attempts: 1 },
    { send_attempts: 2, next_try_at: at(5) },
    false,
  ],
  [
    'the mail server is gone',
    fail('mcp_unavailable'),
    {},
    { send_state: 'pending', next_try_at: at(1) },
    false,
  ],
  ['the mail server broke', fail('internal_error'), {}, { send_state: 'pending' }, false],
  [
    'the answer of Gmail was lost',
    fail('send_failed', { state: 'pending' }),
    {},
    { send_state: 'pending' },
    false,
  ],
  [
    'nobody can tell',
    fail('send_failed', { state: 'unclear' }),
    {},
    { send_state: 'unclear' },
    true,
  ],
  ['the address is bad', fail('invalid_input'), {}, { send_state: 'stuck' }, true],
  [
    'Gmail takes no such mail',
    fail('send_failed', { reason: 'invalid' }),
    {},
    { send_state: 'stuck' },
    true,
  ],
  ['the answered mail is gone', fail('not_found'), {}, { send_state: 'stuck' }, true],
  [
    'Gmail is busy for a day',
    fail('rate_limited'),
    yesterday,
    { send_attempts: 8, send_state: 'stuck' },
    true,
  ],
  [
    'an answer is missing for a day',
    fail('mcp_unavailable'),
    yesterday,
    { send_attempts: 8, send_state: 'unclear' },
    true,
  ],
])('when %s, the draft stays in Approved and says so', async (_, answers, more, keys, isOver) => {
  const place = await begin(answers, more);
  await place.run();
  const values = await place.values(path);
  expect(values).toMatchObject({ send_attempts: 1, ...keys, last_error: 'No.' });
  expect(values).toHaveProperty('first_attempt_at');
  expect(values !== undefined && 'next_try_at' in values).toBe(!isOver);
  expect(values !== undefined && 'send_state' in values).toBe('send_state' in keys);
  expect(place.logged).toMatchObject([{ event: 'email_send_failed', severity: 'ERROR' }]);
  expect(place.notices.map(({ level }) => level)).toEqual(isOver ? ['error'] : []);
  expect(place.told).toEqual([`mail-failed ${path}`]);
  expect(await place.values('Needs_Action/mail.md')).toMatchObject({ status: 'pending' });
});

test('a lost login counts as no attempt', async () => {
  const place = await begin(fail('auth_required'));
  expect(await place.run()).toBe('no-login');
  expect(await place.values(path)).not.toHaveProperty('send_attempts');
  expect(await place.values(path)).toMatchObject({ last_error: 'No.' });
});

test('what became of an attempt is written into its own draft, not into another one at its path', async () => {
  let act = () => {};
  const place = await begin({
    send: async () => {
      act();
      return { messageId: 's1', threadId: 't1', sentAt: '' };
    },
  });
  act = () => {
    place.move(path, 'Approved/renamed.md');
    place.write(path, { ...draft, draft_id: 'd2', to: 'bob@example.org' });
  };
  await place.run();
  expect(await place.values(path)).not.toHaveProperty('sent_message_id');
  expect(await place.values('Done/renamed.md')).toMatchObject({ sent_message_id: 's1' });
});

test('a text that was typed while it left is marked, and a failure of a draft that was taken back is not its own', async () => {
  let act = () => {};
  const sent = await begin({
    send: async () => {
      act();
      return { messageId: 's1', threadId: 't1', sentAt: '' };
    },
  });
  act = () => sent.write(path, { ...draft, approved_hash: sent.digest }, 'Another text\n');
  await sent.run();
  expect(await sent.values('Done/a.md')).toMatchObject({ changed_after_sending: true });
  const back = await begin({
    send: async () => {
      act();
      throw new ToolFailure('rate_limited', 'No.');
    },
  });
  act = () => back.move(path, 'Drafts/a.md');
  await back.run();
  expect(await back.values('Drafts/a.md')).not.toHaveProperty('send_attempts');
  expect(back.paths()).toContain('Drafts/a.md');
});
