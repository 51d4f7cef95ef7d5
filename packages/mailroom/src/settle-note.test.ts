import { expect, onTestFinished, test } from 'vitest';
import type { Mailbox } from './mailbox.ts';
import type { RoundAction } from './plan-round.ts';
import { type ActionPorts, RoundActions } from './round-actions.ts';
import { openPorts } from './testing/open-ports.ts';

const draft = { type: 'draft_reply', draft_id: 'd1', to: 'ada@example.org', subject: 'Re: Hi' };
const mail = { type: 'email', status: 'pending', message_id: 'm1', from: 'ada@example.org' };

/** Carries out what a round decided about a note. */
async function settle(
  kind: Exclude<RoundAction['kind'], 'reopen-mail'>,
  path: string,
  values: object,
  answers: Partial<Mailbox> = {},
) {
  const place = openPorts(onTestFinished, answers);
  place.write(path, { ...values });
  const actions = new RoundActions({ ...place.ports, jobs: () => undefined } as ActionPorts);
  const act = async () => {
    const note = await place.notes.read(path);
    if (note !== undefined) await actions.do({ kind, note });
  };
  await act();
  const events = () => place.logged.map(({ event }) => event);
  return { ...place, act, events };
}

test('a person who says no is heard, unless the draft has left before', async () => {
  const approved = { ...draft, approved_hash: 'x'.repeat(32), decision: 'rejected' };
  const rejected = await settle('reject', 'Approved/a.md', approved);
  expect(rejected.paths()).toEqual(['Done/a.md']);
  expect(await rejected.values('Done/a.md')).toMatchObject({
    status: 'done',
    decision: 'rejected',
    decided_by: 'person',
  });
  expect(rejected.events()).toEqual(['draft_rejected']);
  expect(rejected.told).toEqual(['draft-rejected Done/a.md']);
  const sent = { messageId: 's1', threadId: '', sentAt: '2026-02-03T10:00:00.000Z' };
  const left = await settle('reject', 'Approved/a.md', approved, {
    status: async () => ({ kind: 'sent', sent }),
  });
  expect(await left.values('Approved/a.md')).toMatchObject({ sent_message_id: 's1' });
  expect(left.events()).toEqual(['email_sent']);
});

test('a draft that waits reminds, expires and asks again with a line in the log', async () => {
  const reminded = await settle('remind', 'Drafts/a.md', draft);
  expect(await reminded.values('Drafts/a.md')).toHaveProperty('reminded_at');
  expect(reminded.events()).toEqual(['draft_reminder']);
  expect(reminded.told).toEqual(['draft-reminder Drafts/a.md']);
  const expired = await settle('expire', 'Drafts/a.md', draft);
  expect(await expired.values('Drafts/a.md')).toMatchObject({ approval: 'expired' });
  expect(expired.logged).toMatchObject([{ event: 'approval_expired', severity: 'WARNING' }]);
  const asked = await settle('ask-again', 'Approved/a.md', draft);
  expect(await asked.values('Drafts/a.md')).toMatchObject({ approval: 'expired' });
  expect(asked.events()).toEqual(['approval_asked_again']);
  expect(asked.notices).toMatchObject([{ level: 'warning' }]);
});

test('a note that cannot be read is logged once, and again when it was changed', async () => {
  const place = await settle('unreadable', 'Approved/a.md', { ...draft });
  await place.act();
  expect(place.events()).toEqual(['read_error']);
  place.write('Approved/a.md', draft, 'Longer text\n');
  await place.act();
  expect(place.events()).toEqual(['read_error', 'read_error']);
});

test('a draft that cannot be sent waits until it is another', async () => {
  const stuck = { ...draft, send_state: 'stuck', approved_hash: 'x'.repeat(32) };
  const changed = await settle('recheck', 'Approved/a.md', stuck);
  expect(changed.paths()).toEqual(['Drafts/a.md']);
});

test('a sent draft that was left behind is filed with its mail', async () => {
  const place = openPorts(onTestFinished);
  place.write('Approved/a.md', { ...draft, source_message_id: 'm1', sent_message_id: 's1' });
  place.write('Needs_Action/m.md', mail);
  const note = await place.notes.read('Approved/a.md');
  const actions = new RoundActions({ ...place.ports, jobs: () => undefined } as ActionPorts);
  if (note !== undefined) await actions.do({ kind: 'file-sent', note });
  expect(place.paths()).toEqual(['Done/a.md', 'Done/m.md']);
  expect(await place.values('Done/m.md')).toMatchObject({ status: 'done' });
});

test('a mail that a person has put elsewhere stays there when its reply is sent', async () => {
  const place = openPorts(onTestFinished);
  place.write('Approved/a.md', { ...draft, source_message_id: 'm1', sent_message_id: 's1' });
  place.write('Drafts/m.md', mail);
  const note = await place.notes.read('Approved/a.md');
  const actions = new RoundActions({ ...place.ports, jobs: () => undefined } as ActionPorts);
  if (note !== undefined) await actions.do({ kind: 'file-sent', note });
  expect(place.paths()).toEqual(['Drafts/m.md', 'Done/a.md']);
});
