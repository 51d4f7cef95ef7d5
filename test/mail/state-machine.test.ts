import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailPlace } from './mail-place.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

/** A person moves a file. */
function move(from: string, folder: string, name = from.split('/').at(-1) ?? ''): string {
  mkdirSync(join(place.folder, folder), { recursive: true });
  renameSync(join(place.folder, from), join(place.folder, folder, name));
  return `${folder}/${name}`;
}

/** A person edits a note. */
function edit(path: string, change: (text: string) => string): void {
  place.write(path, change(place.text(path)));
}

async function drafted(
  subject = 'Please reply',
): Promise<{ readonly id: string; readonly draft: string }> {
  const id = await place.deliver(subject);
  await place.round();
  return { id, draft: place.only('Drafts') };
}

const counts = () =>
  Object.fromEntries(
    ['Needs_Action', 'Drafts', 'Approved', 'Done'].map((folder) => [
      folder,
      place.notes(folder).length,
    ]),
  );

test('a reply is drafted, approved by a button, sent in its thread, and both notes are done', async () => {
  const { id, draft } = await drafted();
  edit(draft, (text) => text.replace('---\n', '---\nmine: kept # really\n'));
  const mail = place.only('Needs_Action');
  edit(mail, (text) => `${text}\nMy own words.\n`);
  expect(place.text(mail)).toContain('status: pending');
  expect(place.text(draft)).toContain('status: pending_approval');
  const shown = await place.ask('show', { id });
  expect(shown.notes).toBe('My own words.');
  expect(await place.sent()).toEqual([]);
  await place.ask('approve', { id, seen: shown.draft?.seen ?? '' });
  await place.round();
  const [sent, ...others] = await place.sent();
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ to: 'ada@example.org', subject: 'Re: Please reply' });
  expect(sent?.headers['in-reply-to']).toMatch(/^<.*>$/);
  const original = await place.gmail<{ threadId: string }>('GET', `messages/${id}`);
  expect(sent?.threadId).toBe(original.threadId);
  expect(counts()).toEqual({ Needs_Action: 0, Drafts: 0, Approved: 0, Done: 2 });
  const done = place
    .notes('Done')
    .map((name) => place.text(`Done/${name}`))
    .join('\n');
  expect(done).toContain('mine: kept # really');
  expect(done).toContain('My own words.');
  expect(done.match(/status: done/g)).toHaveLength(2);
  expect(place.logs().map(({ event }) => event)).toEqual(
    expect.arrayContaining(['decision', 'pre_send_audit', 'email_sent']),
  );
  const kinds = place.events.map(({ kind }) => kind);
  for (const kind of [
    'mail-received',
    'draft-written',
    'mail-decided',
    'draft-approved',
    'mail-sent',
  ])
    expect(kinds).toContain(kind);
  expect(place.faults).toEqual([]);
});

test('a reply approved by hand is as good as a button', async () => {
  const { id, draft } = await drafted();
  // Also with the key under which the first document stored the mail that is answered.
  edit(draft, (text) =>
    text
      .replace(/^source_message_id.*\n/m, '')
      .replace('reply_to_message_id', 'original_message_id'),
  );
  move(draft, 'Approved', 'renamed in the middle.md');
  await place.round();
  const [sent, ...others] = await place.sent();
  expect(others).toEqual([]);
  const original = await place.gmail<{ threadId: string }>('GET', `messages/${id}`);
  expect(sent?.threadId).toBe(original.threadId);
  expect(counts()).toMatchObject({ Approved: 0, Done: 2 });
  await place.round();
  expect(await place.sent()).toHaveLength(1);
});

test('a mail is archived, needs a person, is urgent, or is for somebody else', async () => {
  for (const word of ['archive', 'info', 'urgent', 'delegate'])
    await place.deliver(`This is ${word}`);
  await place.round();
  const read = (folder: string, word: string) =>
    place.text(`${folder}/${place.notes(folder).find((name) => name.includes(word)) ?? ''}`);
  expect(read('Done', 'archive')).toMatch(/status: done[\s\S]*decision: archive/);
  expect(read('Needs_Action', 'info')).toMatch(/status: needs_info/);
  expect(read('Needs_Action', 'info')).toContain('info_needed: The date.');
  expect(read('Needs_Action', 'delegate')).toMatch(/status: pending_approval/);
  expect(read('Needs_Action', 'delegate')).toContain('> Delegate to: Bob.');
  expect(read('Drafts', 'urgent')).toMatch(/status: pending_approval[\s\S]*priority: urgent/);
  expect(counts()).toEqual({ Needs_Action: 3, Drafts: 1, Approved: 0, Done: 1 });
  const { counts: shown, folders } = await place.ask('board', {});
  expect(shown).toEqual({ waiting: 3, leaving: 0, wrong: 0 });
  expect(folders.Drafts).toMatchObject([{ isUrgent: true, state: 'waiting' }]);
});

test('a rejected draft is never sent, by a button and by hand', async () => {
  const { draft } = await drafted('reply one');
  await place.ask('reject', { id: draft, reason: 'No.' });
  await place.round();
  expect(place.text(place.only('Done'))).toMatch(/decision: rejected/);
  expect(place.text(place.only('Needs_Action'))).toContain('status: needs_info');
  const { draft: second } = await drafted('reply two');
  edit(second, (text) => text.replace('status: pending_approval', 'status: rejected'));
  move(second, 'Approved');
  const { draft: third } = await drafted('reply three');
  move(third, 'Done');
  await place.round();
  await place.round();
  expect(counts()).toMatchObject({ Drafts: 0, Approved: 0, Done: 3 });
  for (const name of place.notes('Done'))
    expect(place.text(`Done/${name}`)).toContain('decision: rejected');
  expect(await place.sent()).toEqual([]);
});

test('a draft that is changed after its approval was read asks again', async () => {
  const { draft } = await drafted();
  void place.proxy.fault(
    { method: 'POST', path: /drafts/, times: 9 },
    { kind: 'answer', status: 503 },
  );
  const approved = move(draft, 'Approved');
  await place.round();
  expect(place.text(approved)).toContain('approved_hash');
  edit(approved, (text) => text.replace('gladly', 'never'));
  place.proxy.heal();
  place.ahead += 3_600_000;
  await place.round();
  expect(await place.sent()).toEqual([]);
  const back = place.only('Drafts');
  expect(place.text(back)).toContain('approval: changed');
  const shown = await place.ask('show', { id: back });
  expect(shown.draft?.leaves?.body).toContain('never');
  await place.ask('approve', { id: back, seen: shown.draft?.seen ?? '' });
  await place.round();
  expect((await place.sent()).map(({ snippet }) => snippet)).toEqual([
    expect.stringContaining('never'),
  ]);
});

test('nobody approves or edits what they did not see', async () => {
  const { id, draft } = await drafted();
  const { draft: first } = await place.ask('show', { id });
  edit(draft, (text) => text.replace('gladly', 'on Friday'));
  await expect(place.ask('approve', { id, seen: first?.seen ?? '' })).rejects.toMatchObject({
    code: 'changed',
  });
  const { draft: now } = await place.ask('show', { id });
  const edited = await place.ask('edit', {
    id,
    seen: now?.seen ?? '',
    cc: 'bob@example.org',
    body: 'New text',
  });
  expect(edited.draft?.leaves).toMatchObject({ cc: 'bob@example.org', body: 'New text' });
  await expect(
    place.ask('edit', { id, seen: now?.seen ?? '', body: 'Other' }),
  ).rejects.toMatchObject({ code: 'changed' });
  await expect(place.ask('approve', { id, seen: now?.seen ?? '' })).rejects.toMatchObject({
    code: 'changed',
  });
  await place.ask('approve', { id, seen: edited.draft?.seen ?? '' });
  await place.round();
  const [sent] = await place.sent();
  expect(sent?.headers.cc).toContain('bob@example.org');
});

test('files moved to wrong folders, deleted, broken, doubled and copied are never lost, sent twice or sent unapproved', async () => {
  const { id, draft } = await drafted();
  const mail = place.only('Needs_Action');
  // A mail among the approved is no draft.
  const misplaced = move(mail, 'Approved');
  await place.round();
  expect(await place.sent()).toEqual([]);
  expect((await place.ask('board', {})).folders.Approved).toMatchObject([
    { state: 'misplaced', kind: 'mail' },
  ]);
  move(misplaced, 'Needs_Action');
  // A broken note is left alone, and shown.
  const whole = place.text(draft);
  const approved = move(draft, 'Approved');
  edit(approved, (text) => text.replace('to: ada@example.org', 'to: [ada'));
  const broken = place.text(approved);
  await place.round();
  expect(place.text(approved)).toBe(broken);
  expect(place.logs()).toContainEqual(
    expect.objectContaining({ event: 'read_error', path: approved }),
  );
  expect((await place.ask('board', {})).counts.wrong).toBe(1);
  // The same draft twice, in both folders: one mail.
  place.write(approved, whole);
  copyFileSync(join(place.folder, approved), join(place.folder, 'Approved/copy.md'));
  mkdirSync(join(place.folder, 'Drafts'), { recursive: true });
  copyFileSync(join(place.folder, approved), join(place.folder, 'Drafts/copy.md'));
  await place.round();
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  // A mail that is deleted does not come back.
  const [name = ''] = place
    .notes('Done')
    .filter((each) => place.text(`Done/${each}`).includes('type: email'));
  rmSync(join(place.folder, 'Done', name));
  await place.restart();
  await place.round();
  expect(counts().Needs_Action).toBe(0);
  expect(await place.sent()).toHaveLength(1);
  await expect(place.ask('show', { id })).rejects.toMatchObject({ code: 'not_found' });
});

test('a deleted draft leaves its mail to a person, and a draft without a recipient is not sent', async () => {
  const { draft } = await drafted('reply one');
  rmSync(join(place.folder, draft));
  await place.round();
  expect(place.text(place.only('Needs_Action'))).toMatch(/status: needs_info[\s\S]*draft: deleted/);
  place.write('Approved/own.md', '---\nsubject: Hi\n---\nText\n');
  await place.round();
  expect((await place.ask('board', {})).folders.Approved).toMatchObject([{ state: 'stuck' }]);
  place.write('Approved/mine.md', '---\nto: bob@example.org\nsubject: Hi\n---\nMy own text.\n');
  await place.round();
  expect(await place.sent()).toMatchObject([{ to: 'bob@example.org', subject: 'Hi' }]);
});

test('a draft reminds after 24 hours, expires after 48, and is not sent by itself', async () => {
  const { id, draft } = await drafted();
  place.ahead += 25 * 3_600_000;
  await place.round();
  expect(place.events).toContainEqual(expect.objectContaining({ kind: 'draft-reminder' }));
  expect(place.notices.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('waits for you'),
  );
  const reminders = () => place.events.filter(({ kind }) => kind === 'draft-reminder').length;
  await place.round();
  expect(reminders()).toBe(1);
  place.ahead += 24 * 3_600_000;
  await place.round();
  expect(place.text(draft)).toContain('approval: expired');
  place.ahead += 240 * 3_600_000;
  await place.round();
  expect(existsSync(join(place.folder, draft))).toBe(true);
  expect(await place.sent()).toEqual([]);
  const shown = await place.ask('show', { id });
  expect(shown.draft?.approval).toBe('expired');
  await place.ask('approve', { id, seen: shown.draft?.seen ?? '', evenExpired: true });
  await place.round();
  expect(await place.sent()).toHaveLength(1);
});

test('nothing is fetched, decided or sent while it is paused', async () => {
  const { draft } = await drafted();
  await place.ask('pause', {});
  move(draft, 'Approved');
  await place.deliver('reply later');
  await place.room.run();
  await place.restart();
  await place.room.run();
  expect(counts()).toEqual({ Needs_Action: 1, Drafts: 0, Approved: 1, Done: 0 });
  await place.ask('resume', {});
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(counts()).toMatchObject({ Needs_Action: 1, Drafts: 1 });
});
