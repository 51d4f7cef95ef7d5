import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from './draft-note.ts';
import { findNote } from './find-note.ts';
import { mailDetails } from './mail-details.ts';
import type { Mailroom } from './mailroom.ts';
import { PersonActions } from './person-actions.ts';
import { openPorts } from './testing/open-ports.ts';

const draft = {
  type: 'draft_reply',
  draft_id: 'd1',
  to: 'ada@example.org',
  subject: 'Re: Hi',
  drafted_at: '2026-02-03T11:00:00.000Z',
};
const mail = { type: 'email', status: 'needs_info', message_id: 'm1', from: 'ada@example.org' };
const hash = 'x'.repeat(32);

/** A person before one note. */
async function open(path: string, values: object, body?: string) {
  const place = openPorts(onTestFinished);
  place.write(path, { ...values }, body);
  const again: unknown[] = [];
  const room = {
    ports: place.ports,
    wake: () => undefined,
    decideAgain: async (_: object, added?: string) => void again.push(added),
  } as unknown as Mailroom;
  const person = new PersonActions(room);
  const note = await place.notes.read(path);
  return { ...place, person, again, seen: note === undefined ? '' : digestOf(note) };
}

type Person = Awaited<ReturnType<typeof open>>;
const id = 'd1';
const approve = ({ person, seen }: Person) => person.approve({ id, seen }, 's');
const reject = ({ person }: Person) => person.reject({ id }, 's');
const edit = ({ person, seen }: Person) => person.edit({ id, seen, body: 'Other' }, 's');
const retry = ({ person }: Person) => person.retry({ id }, 's');
const send = ({ person }: Person) => person.settle({ id, outcome: 'send' }, 's');
const wasSent = ({ person }: Person) => person.settle({ id, outcome: 'was-sent' }, 's');

test.each<[string, (person: Person) => Promise<object>, string, object, string]>([
  ['approves what was rejected', approve, 'Drafts', { decision: 'rejected' }, 'wrong_state'],
  ['approves what is finished', approve, 'Done', { sent_message_id: 's1' }, 'wrong_state'],
  ['approves what may have left', approve, 'Drafts', { send_state: 'pending' }, 'wrong_state'],
  ['approves what has no recipient', approve, 'Drafts', { to: '' }, 'incomplete'],
  ['approves what waited too long', approve, 'Drafts', { approval: 'expired' }, 'expired'],
  ['rejects what is finished', reject, 'Done', {}, 'wrong_state'],
  ['rejects what has left', reject, 'Approved', { sent_message_id: 's1' }, 'wrong_state'],
  ['edits what is finished', edit, 'Done', {}, 'wrong_state'],
  ['edits what may have left', edit, 'Approved', { send_state: 'unclear' }, 'wrong_state'],
  ['tries again what was not approved', retry, 'Drafts', {}, 'wrong_state'],
  ['tries again what may have left', retry, 'Approved', { send_state: 'unclear' }, 'wrong_state'],
  ['confirms what nobody asked about', wasSent, 'Approved', {}, 'wrong_state'],
  ['sends again what nobody asked about', send, 'Approved', {}, 'wrong_state'],
  ['sends again what lies in Drafts', send, 'Drafts', { send_state: 'unclear' }, 'wrong_state'],
])(
  'a person who %s is refused, and the note stays where it is',
  async (_, act, folder, more, code) => {
    const person = await open(`${folder}/a.md`, { ...draft, ...more });
    await expect(act(person)).rejects.toMatchObject({ code });
    expect(person.paths()).toEqual([`${folder}/a.md`]);
    expect(await person.values(`${folder}/a.md`)).not.toHaveProperty('approved_hash');
    expect(person.logged).toEqual([]);
  },
);

test('a version that was not seen is neither approved nor edited', async () => {
  const person = await open('Drafts/a.md', draft);
  const other = { ...person, seen: 'another' };
  await expect(approve(other)).rejects.toMatchObject({ code: 'changed' });
  await expect(edit(other)).rejects.toMatchObject({ code: 'changed' });
  expect(person.paths()).toEqual(['Drafts/a.md']);
});

test('what is saved between the look and the approval is not approved', async () => {
  const person = await open('Drafts/a.md', draft);
  const update = person.notes.update.bind(person.notes);
  // An editor saves at the moment at which the approval is written.
  person.notes.update = (...change) => {
    person.write('Drafts/a.md', draft, 'Never\n');
    return update(...change);
  };
  await expect(approve(person)).rejects.toMatchObject({ code: 'conflict' });
  expect(person.paths()).toEqual(['Drafts/a.md']);
  expect(await person.values('Drafts/a.md')).not.toHaveProperty('approved_hash');
});

test('an approval names what was seen, and nothing of earlier attempts is left', async () => {
  const tried = {
    ...draft,
    send_attempts: 3,
    next_try_at: 'x',
    last_error: 'No.',
    approval: 'changed',
  };
  const person = await open('Drafts/a.md', tried);
  await approve(person);
  const values = await person.values('Approved/a.md');
  expect(values).toMatchObject({ approved_hash: person.seen, draft_id: 'd1' });
  for (const key of ['send_attempts', 'next_try_at', 'last_error', 'approval'])
    expect(values).not.toHaveProperty(key);
  expect(person.told).toContain('draft-approved');
});

test('an edit takes an approval back, empties what was emptied, and keeps what was not named', async () => {
  const values = { ...draft, cc: 'cy@example.org', approved_hash: hash, approved_at: 'x' };
  const person = await open('Approved/a.md', values);
  const { seen } = person;
  const { draft: shown } = await person.person.edit({ id, seen, cc: '', body: 'Other\n\n' }, 's');
  expect(person.paths()).toEqual(['Drafts/a.md']);
  expect(shown?.leaves).toEqual({ to: 'ada@example.org', subject: 'Re: Hi', body: 'Other' });
  const now = await person.values('Drafts/a.md');
  for (const key of ['cc', 'approved_hash', 'approved_at']) expect(now).not.toHaveProperty(key);
  expect(now).toHaveProperty('edited_at');
});

test('a no to a draft and a no to a mail put both into Done, with the reason', async () => {
  const no = await open('Approved/a.md', { ...draft, next_try_at: 'x' });
  await no.person.reject({ id, reason: 'Too late.' }, 's');
  expect(await no.values('Done/a.md')).toMatchObject({
    status: 'done',
    decision: 'rejected',
    decided_by: 'person',
    reason: 'Too late.',
  });
  expect(no.logged).toMatchObject([
    { event: 'draft_rejected', draft_id: 'd1', message: 'Too late.' },
  ]);
  expect(no.told).toContain('draft-rejected');
  const closed = await open('Needs_Action/m.md', mail);
  await closed.person.reject({ id: 'm1' }, 's');
  const values = await closed.values('Done/m.md');
  expect(values).toMatchObject({ status: 'done', decided_by: 'person' });
  expect(values).not.toHaveProperty('decision');
});

test('a draft is tried at once, with a new day to do it, and what was stuck is looked at again', async () => {
  const keys = { next_try_at: 'x', first_attempt_at: 'x', send_state: 'stuck', send_attempts: 4 };
  const person = await open('Approved/a.md', { ...draft, ...keys });
  await retry(person);
  expect(await person.values('Approved/a.md')).toEqual({ ...draft, send_attempts: 4 });
  // One that waits for an answer that was lost goes on waiting for it.
  const pending = await open('Approved/a.md', { ...draft, send_state: 'pending' });
  await retry(pending);
  expect(await pending.values('Approved/a.md')).toMatchObject({ send_state: 'pending' });
});

test('a mail is decided again with what a person adds, and not once it is finished', async () => {
  const person = await open('Needs_Action/m.md', mail);
  await person.person.retry({ id: 'm1', note: 'On Friday.' }, 's');
  expect(person.again).toEqual(['On Friday.']);
  const done = await open('Done/m.md', { ...mail, status: 'done' });
  await expect(done.person.retry({ id: 'm1' }, 's')).rejects.toMatchObject({ code: 'wrong_state' });
  expect(done.again).toEqual([]);
});

const unclear = { ...draft, send_state: 'unclear', approved_hash: hash };

test('who says that a mail was sent files it, and the log says who said so', async () => {
  const person = await open('Approved/a.md', unclear);
  const { item } = await wasSent(person);
  expect(item.state).toBe('sent');
  expect(item).not.toHaveProperty('sentId');
  expect(person.logged).toMatchObject([{ event: 'email_sent', draft_id: 'd1' }]);
  expect(person.told).toContain('mail-sent');
});

test('who says that a mail was not sent lets the same text leave under a new key, and another text ask again', async () => {
  const same = await open('Approved/a.md', { ...draft, send_state: 'unclear', send_round: 1 });
  await send(same);
  expect(await same.values('Approved/a.md')).toEqual({
    ...draft,
    send_round: 2,
    approved_hash: same.seen,
  });
  const other = await open('Approved/a.md', unclear);
  await send(other);
  expect(await other.values('Drafts/a.md')).toEqual({
    ...draft,
    send_round: 1,
    approval: 'changed',
  });
});

test('asked for a mail, its draft is meant, and both are shown', async () => {
  const person = await open('Drafts/a.md', { ...draft, source_message_id: 'm1' });
  person.write('Needs_Action/m.md', mail);
  const details = await mailDetails(await findNote('m1', person.notes), person.notes);
  expect(details).toMatchObject({ item: { id: 'm1' }, draft: { seen: person.seen } });
  await person.person.approve({ id: 'm1', seen: person.seen }, 's');
  expect(person.paths()).toContain('Approved/a.md');
});
