import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailPlace } from './mail-place.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

function move(path: string, folder: string): string {
  mkdirSync(join(place.folder, folder), { recursive: true });
  const target = `${folder}/${path.split('/').at(-1)}`;
  renameSync(join(place.folder, path), join(place.folder, target));
  return target;
}

/** A draft of the model. */
async function drafted(): Promise<string> {
  await place.deliver('reply one');
  await place.round();
  return place.only('Drafts');
}

/** Does something while Gmail is asked to send the next mail. */
function whileSending(doing: () => unknown): void {
  const gate = Promise.withResolvers<void>();
  const hit = place.proxy.fault(
    { method: 'POST', path: /\/drafts$/ },
    { kind: 'hold-after', until: gate.promise },
  );
  void hit.then(async () => {
    await doing();
    gate.resolve();
  });
}

async function rounds(count = 3): Promise<void> {
  for (let round = 0; round < count; round += 1) await place.round();
}

/** The texts of the notes in Done that are drafts. */
function doneDrafts(): readonly string[] {
  return place
    .notes('Done')
    .map((name) => place.text(`Done/${name}`))
    .filter((text) => !text.includes('type: email'));
}

const texts = async () => (await place.sent()).map(({ snippet }) => snippet).toSorted();
const mine = '---\nto: bob@example.org\nsubject: Hi\n---\nMy text\n';

test.each([
  ['taken out', (text: string) => text.replace(/^draft_id: .*\n/m, '')],
  ['changed', (text: string) => text.replace(/^draft_id: .*\n/m, 'draft_id: dother\n')],
])('a draft whose id is %s while it is sent leaves once', async (_, change) => {
  const path = move(await drafted(), 'Approved');
  whileSending(() => place.write(path, change(place.text(path))));
  await rounds();
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Approved')).toEqual([]);
  expect(doneDrafts()).toEqual([expect.stringMatching(/^sent_message_id: /m)]);
});

test('a draft that a person wrote and an editor saves again while it is sent leaves once', async () => {
  place.write('Approved/mine.md', mine);
  whileSending(() => place.write('Approved/mine.md', mine));
  await rounds();
  expect(await texts()).toEqual(['My text']);
  expect(doneDrafts()).toEqual([expect.stringMatching(/^sent_message_id: /m)]);
  const { Done } = (await place.ask('board', {})).folders;
  expect(Done).toMatchObject([{ state: 'sent', subject: 'Hi' }]);
});

test('another text that an editor saves over a draft without an id while it is sent says what has left', async () => {
  place.write('Approved/mine.md', mine);
  const more = mine.replace('My text', 'More text');
  whileSending(() => place.write('Approved/mine.md', more));
  await rounds();
  expect(await texts()).toEqual(['My text']);
  expect(doneDrafts()).toEqual([
    expect.stringMatching(/changed_after_sending: true[\s\S]*More text/),
  ]);
  // The same name and the same text again is a mail of its own.
  place.write('Approved/mine.md', mine);
  await rounds();
  expect(await texts()).toEqual(['My text', 'My text']);
});

test('a copy with a text of its own of a draft that was sent asks under an id of its own, and is never called sent', async () => {
  const draft = await drafted();
  const copy = draft.replace('.md', ' 1.md');
  copyFileSync(join(place.folder, draft), join(place.folder, copy));
  place.write(copy, place.text(copy).replace('ada@', 'bob@').replace('gladly', 'surely'));
  const approved = move(draft, 'Approved');
  await place.round();
  move(copy, 'Approved');
  await rounds();
  expect(place.notes('Approved')).toEqual([]);
  expect(place.text(place.only('Drafts'))).toMatch(/^approval: changed$/m);
  move(place.only('Drafts'), 'Approved');
  await rounds();
  expect((await place.sent()).map(({ to }) => to).toSorted()).toEqual([
    'ada@example.org',
    'bob@example.org',
  ]);
  // As a program that syncs leaves it: with the approval of the other text.
  const [sent = ''] = doneDrafts().filter((text) => text.includes('gladly'));
  const conflict = sent.replace(/^(?:sent_|thread_id|status).*\n/gm, '').replace('gladly', 'maybe');
  place.write(approved.replace('.md', ' (conflict).md'), conflict);
  await rounds();
  expect(await place.sent()).toHaveLength(2);
  expect(place.text(place.only('Drafts'))).toMatch(/approval: changed[\s\S]*maybe/);
});

test.each(['a button', 'hand', 'a word in its note'])(
  'a draft that is rejected by %s after an attempt without an end asks whether it left',
  async (how) => {
    const path = move(await drafted(), 'Approved');
    void place.proxy.fault({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut-after' });
    await place.round();
    if (how === 'hand') move(path, 'Done');
    else if (how === 'a word in its note')
      place.write(path, place.text(path).replace('---\n', '---\ndecision: rejected\n'));
    else await place.ask('reject', { id: path, reason: 'Not now' });
    await rounds();
    expect((await place.ask('board', {})).folders.Approved).toMatchObject([{ state: 'unclear' }]);
    // Who knows that nobody can tell may still say no.
    await place.ask('reject', { id: path, reason: 'Not now' });
    await rounds();
    expect(doneDrafts()).toEqual([expect.stringMatching(/^decision: rejected$/m)]);
    expect(await place.sent()).toHaveLength(1);
  },
);

test('a draft that is rejected by a button while it leaves says that it was sent', async () => {
  const path = move(await drafted(), 'Approved');
  whileSending(() => place.ask('reject', { id: path }));
  await rounds();
  expect(await place.sent()).toHaveLength(1);
  const { Done } = (await place.ask('board', {})).folders;
  expect(Done.filter(({ kind }) => kind === 'draft')).toMatchObject([{ state: 'sent' }]);
});

test('the subject that a person wrote is the one that leaves', async () => {
  const draft = await drafted();
  place.write(draft, place.text(draft).replace('Re: reply one', 'On Friday'));
  move(draft, 'Approved');
  await rounds();
  expect(await place.sent()).toMatchObject([
    { subject: 'On Friday', headers: { 'in-reply-to': expect.any(String) } },
  ]);
});
