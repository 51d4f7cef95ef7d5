import { existsSync, mkdirSync, renameSync } from 'node:fs';
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
function move(from: string, folder: string): string {
  const to = `${folder}/${from.split('/').at(-1)}`;
  mkdirSync(join(place.folder, folder), { recursive: true });
  renameSync(join(place.folder, from), join(place.folder, to));
  return to;
}

async function drafted(): Promise<{ readonly id: string; readonly draft: string }> {
  const id = await place.deliver('Please reply');
  await place.round();
  return { id, draft: place.only('Drafts') };
}

async function seenOf(id: string): Promise<string> {
  return (await place.ask('show', { id })).draft?.seen ?? '';
}

test('an expired draft needs a second word, whoever asks; working on it is one', async () => {
  const { id } = await drafted();
  place.ahead += 49 * 3_600_000;
  await place.round();
  const seen = await seenOf(id);
  await expect(place.ask('approve', { id, seen })).rejects.toMatchObject({ code: 'expired' });
  await place.round();
  expect(await place.sent()).toEqual([]);
  // What was not read is not approved by a second word either.
  const unread = { id, seen: 'another', evenExpired: true };
  await expect(place.ask('approve', unread)).rejects.toMatchObject({ code: 'changed' });
  const edited = await place.ask('edit', { id, seen, body: 'A newer answer.' });
  expect(edited.draft?.approval).toBeUndefined();
  await place.round();
  expect(place.text(place.only('Drafts'))).not.toContain('approval: expired');
  // It waits anew from then on.
  place.ahead += 49 * 3_600_000;
  await place.round();
  const again = await seenOf(id);
  await expect(place.ask('approve', { id, seen: again })).rejects.toMatchObject({
    code: 'expired',
  });
  await place.ask('approve', { id, seen: again, evenExpired: true });
  await place.round();
  expect(await place.sent()).toMatchObject([{ snippet: 'A newer answer.' }]);
});

test('an expired draft that is moved to Approved comes back once, and leaves when it is moved again', async () => {
  const { draft } = await drafted();
  place.ahead += 49 * 3_600_000;
  await place.round();
  move(draft, 'Approved');
  await place.round();
  expect(await place.sent()).toEqual([]);
  const back = place.only('Drafts');
  expect(place.text(back)).toMatch(/approval: expired[\s\S]*asked_again_at/);
  expect(place.notices.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('once more'),
  );
  expect((await place.ask('board', {})).folders.Drafts).toMatchObject([{ state: 'expired' }]);
  // A button is not the second word for a move: it asks for itself.
  const seen = await seenOf(back);
  await expect(place.ask('approve', { id: back, seen })).rejects.toMatchObject({ code: 'expired' });
  move(back, 'Approved');
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(place.text(place.notes('Done').map((name) => `Done/${name}`)[0] ?? '')).not.toContain(
    'asked_again_at',
  );
});

test('a draft that expired while no program ran asks twice as well, by hand and by a button', async () => {
  const { draft } = await drafted();
  place.ahead += 49 * 3_600_000;
  move(draft, 'Approved');
  await place.round();
  expect(await place.sent()).toEqual([]);
  const back = place.only('Drafts');
  expect(place.text(back)).toMatch(/approval: expired[\s\S]*asked_again_at/);
  move(back, 'Approved');
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  const { id } = await drafted();
  place.ahead += 49 * 3_600_000;
  const seen = await seenOf(id);
  await expect(place.ask('approve', { id, seen })).rejects.toMatchObject({ code: 'expired' });
  // Whoever shows it now asks the second question.
  expect((await place.ask('show', { id })).draft).toMatchObject({ seen, approval: 'expired' });
  await place.ask('approve', { id, seen, evenExpired: true });
  await place.round();
  expect(await place.sent()).toHaveLength(2);
});

test('four mails are worked on at once, and not more', async () => {
  for (let at = 0; at < 9; at += 1) await place.deliver(`archive ${at}`);
  const four = Promise.withResolvers<void>();
  let now = 0;
  let most = 0;
  place.onEffect = async (when, what) => {
    if (what === 'list_emails' || what === 'list_new_emails' || what === 'health_check') return;
    now += when === 'before' ? 1 : -1;
    most = Math.max(most, now);
    if (now === 4) four.resolve();
    // The first ones wait for each other, which would take for ever one after the other.
    if (when === 'before') await four.promise;
  };
  const late = setTimeout(() => four.reject(new Error('no four mails at once')), 60_000);
  await place.round();
  clearTimeout(late);
  expect(most).toBe(4);
  expect(place.notes('Done')).toHaveLength(9);
  expect(place.faults).toEqual([]);
});

test('a mail that is decided about again while a decision is on its way gets one draft', async () => {
  const id = await place.deliver('Please reply');
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  place.onEffect = async (when, what) => {
    if (what !== 'model' || when !== 'after') return;
    asked.resolve();
    await goOn.promise;
  };
  await place.room.run();
  await asked.promise;
  await place.ask('retry', { id, note: 'It is for Friday.' });
  goOn.resolve();
  await place.round();
  expect(place.notes('Drafts')).toHaveLength(1);
  expect(place.text(place.only('Needs_Action'))).toContain('retries: 1');
  expect(place.faults).toEqual([]);
});

test('an action on a note that moves at this moment follows it, or says where it is', async () => {
  const { id, draft } = await drafted();
  const mail = place.only('Needs_Action');
  const onUpdate = (act: () => void) => {
    let isDone = false;
    place.onEffect = (when, what) => {
      if (isDone || when !== 'before' || what !== 'update_frontmatter') return;
      isDone = true;
      act();
    };
  };
  // By hand, while the button is being pressed.
  onUpdate(() => void move(mail, 'Done'));
  await expect(place.ask('retry', { id: mail })).rejects.toMatchObject({
    code: 'wrong_state',
    message: expect.stringContaining(mail.replace('Needs_Action', 'Done')),
  });
  onUpdate(() => void move(draft, 'Approved'));
  const approved = await place.ask('approve', { id: draft, seen: await seenOf(id) });
  expect(approved.item).toMatchObject({ folder: 'Approved' });
  place.onEffect = undefined;
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  // By the paths that they had.
  expect((await place.ask('show', { id: draft })).item).toMatchObject({ state: 'sent' });
  expect((await place.ask('why', { id: mail })).item).toMatchObject({ folder: 'Done' });
  const known = place.notices.map(({ message }) => message);
  expect(known.filter((message) => message.includes('There is no note'))).toEqual([]);
});

test('a mail that is filed by the round and by the job that sent its answer is no trouble', async () => {
  const { id } = await drafted();
  const mail = place.only('Needs_Action');
  await place.ask('approve', { id, seen: await seenOf(id) });
  let moves = 0;
  place.onEffect = (when, what) => {
    if (when !== 'before' || what !== 'move_note') return;
    moves += 1;
    // The draft is filed first; before the mail is, somebody else does it.
    if (moves > 1 && existsSync(join(place.folder, mail))) move(mail, 'Done');
  };
  await place.round();
  expect(moves).toBeGreaterThan(1);
  expect(place.notes('Done')).toHaveLength(2);
  expect(place.notices).toEqual([]);
  expect(place.faults).toEqual([]);
  const failed = await place.jobs.list({ state: 'failed' });
  expect(failed).toEqual([]);
});

test('copies of a mail reach those that a person named, and only the one who sent it sees the hidden ones', async () => {
  const { id } = await drafted();
  const hidden = 'Boss <boss@example.org>, dee@example.org';
  await place.ask('edit', { id, seen: await seenOf(id), cc: 'bob@example.org', bcc: hidden });
  const { draft } = await place.ask('show', { id });
  expect(draft?.leaves).toMatchObject({ cc: 'bob@example.org', bcc: hidden });
  await place.ask('approve', { id, seen: draft?.seen ?? '' });
  await place.round();
  const [sent] = await place.sent();
  expect(sent?.headers).toMatchObject({
    to: 'ada@example.org',
    cc: 'bob@example.org',
    bcc: hidden,
  });
});

test('a draft that a person made leaves once, by a button and by hand, and never with a lost id', async () => {
  const own = (name: string, more = '') =>
    `---\nto: ${name}@example.org\nsubject: Hi\n${more}---\nText\n`;
  place.write('Drafts/a.md', own('ada'));
  const seen = await seenOf('Drafts/a.md');
  await place.ask('approve', { id: 'Drafts/a.md', seen });
  place.write('Approved/b.md', own('bob'));
  // Tried before, under an id that is gone.
  place.write('Approved/c.md', own('cy', 'approved_hash: any text\nsend_attempts: 1\n'));
  for (let round = 0; round < 3; round += 1) await place.round();
  expect((await place.sent()).map(({ to }) => to).sort()).toEqual([
    'ada@example.org',
    'bob@example.org',
  ]);
  expect(place.notes('Done')).toEqual(['a.md', 'b.md']);
  expect((await place.ask('board', {})).folders.Approved).toMatchObject([{ state: 'unclear' }]);
});

test('a draft that cannot be sent shows what was written and what is wrong, on the board and by itself', async () => {
  place.write('Drafts/bad.md', '---\nto: [bob\nsubject: Hi\n---\nMy words.\n');
  place.write('Drafts/wrong.md', '---\nto: bob at home\ncc: a@example.org\n---\nMy words.\n');
  const { folders } = await place.ask('board', {});
  expect(folders.Drafts.map(({ state }) => state).sort()).toEqual(['unreadable', 'waiting']);
  expect((await place.ask('show', { id: 'Drafts/bad.md' })).draft).toMatchObject({
    mistakes: [{ field: 'frontmatter', code: 'invalid' }],
    written: { body: 'My words.\n', frontmatter: '---\nto: [bob\nsubject: Hi\n---\n' },
  });
  const { draft } = await place.ask('show', { id: 'Drafts/wrong.md' });
  expect(draft).toMatchObject({
    mistakes: [
      { field: 'to', code: 'invalid', text: 'bob at home' },
      { field: 'subject', code: 'missing' },
    ],
    written: { to: 'bob at home', cc: 'a@example.org', body: 'My words.\n' },
  });
  // Mended where it is shown, it can leave.
  const mended = { to: 'bob@example.org', subject: 'Hi' };
  const edited = await place.ask('edit', {
    id: 'Drafts/wrong.md',
    seen: draft?.seen ?? '',
    ...mended,
  });
  expect(edited.draft?.leaves).toMatchObject({ ...mended, cc: 'a@example.org' });
});

test('an editor that saves another text without the approval after an unconfirmed attempt sends nothing more', async () => {
  await place.deliver('reply');
  await place.round();
  const draft = place.only('Drafts');
  const opened = place.text(draft);
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  const approved = draft.replace('Drafts', 'Approved');
  renameSync(join(place.folder, draft), join(place.folder, approved));
  void place.proxy.fault({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut-after' });
  await place.round();
  place.write(approved, opened.replace('gladly', 'never'));
  place.letTimePass();
  place.ahead += 600_000;
  await place.round();
  await place.round();
  expect((await place.sent()).map(({ snippet }) => snippet)).toEqual([
    expect.stringContaining('gladly'),
  ]);
});

test('a draft with a bad address that a person corrects in Approved asks again', async () => {
  const path = 'Approved/mine.md';
  place.write(path, '---\nto: nobody\nsubject: Hello\n---\nText\n');
  await place.round();
  await place.round();
  expect(place.text(path)).toContain('send_state: stuck');
  place.write(path, place.text(path).replace('nobody', 'bob@example.org'));
  await place.round();
  expect(await place.sent()).toEqual([]);
  const draft = place.only('Drafts');
  expect(place.text(draft)).toContain('approval: changed');
  renameSync(join(place.folder, draft), join(place.folder, path));
  await place.round();
  expect((await place.sent()).map(({ to }) => to)).toEqual(['bob@example.org']);
});
