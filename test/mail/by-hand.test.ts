import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailPlace } from './mail-place.ts';
import { answerBySubject } from './mail-servers.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

const folders = ['Needs_Action', 'Drafts', 'Approved', 'Done'] as const;

/** The paths of all notes whose text contains a word. */
function paths(word: string): readonly string[] {
  return folders
    .flatMap((folder) => place.notes(folder).map((name) => `${folder}/${name}`))
    .filter((path) => place.text(path).includes(word));
}

/** The path of the only note of a kind about something. */
function only(type: 'email' | 'draft_reply', word: string): string {
  const found = paths(word).filter((path) =>
    new RegExp(`^type: ${type}$`, 'm').test(place.text(path)),
  );
  if (found.length !== 1) throw new Error(`${type} ${word}: ${found.join(', ') || 'none'}`);
  return found[0] ?? '';
}

/** What another program or a person does to a file. */
const hands = {
  move: (path: string, folder: string, name = path.split('/').at(-1) ?? '') => {
    mkdirSync(join(place.folder, folder), { recursive: true });
    renameSync(join(place.folder, path), join(place.folder, folder, name));
    return `${folder}/${name}`;
  },
  rename: (path: string) => hands.move(path, path.split('/')[0] ?? '', `renamed ${path.length}.md`),
  edit: (path: string, change: (text: string) => string) =>
    place.write(path, change(place.text(path))),
  /** As programs save that write another file first: the path is another file then. */
  replace: (path: string, change: (text: string) => string) => {
    const other = join(place.folder, 'Logs/aside.tmp');
    writeFileSync(other, change(place.text(path)));
    renameSync(other, join(place.folder, path));
  },
  remove: (path: string) => rmSync(join(place.folder, path)),
  /** As programs that sync do with what was changed on two machines. */
  copy: (path: string) =>
    copyFileSync(
      join(place.folder, path),
      join(place.folder, path.replace(/\.md$/, ' (conflicted copy).md')),
    ),
};
const mine = (text: string) =>
  `${text.replace('---\n', '---\nmine: kept # really\n')}\nMy words.\n`;
const broken = (text: string) => text.replace('---\n', '---\nto: [never closed\n');

/** Delivers mails, and does something to the note of each while the model is asked about it. */
async function whileDeciding(
  doings: Readonly<Record<string, (path: string) => void>>,
): Promise<void> {
  const left = new Set(Object.keys(doings));
  place.model.always((request) => {
    const asked = JSON.stringify(request.body);
    for (const word of left) {
      if (!asked.includes(`Subject: reply ${word}`)) continue;
      left.delete(word);
      doings[word]?.(only('email', `reply ${word}`));
    }
    return typeof answerBySubject === 'function' ? answerBySubject(request) : answerBySubject;
  });
  for (const word of Object.keys(doings)) await place.deliver(`reply ${word}`);
  await place.round();
  expect([...left]).toEqual([]);
}

test('a mail that is moved, renamed, edited, replaced, deleted, broken or copied while it is decided about keeps what was done to it', async () => {
  let spoilt = '';
  await whileDeciding({
    finished: (path) => hands.move(path, 'Done'),
    misplaced: (path) => hands.move(path, 'Approved'),
    misfiled: (path) => hands.move(path, 'Drafts'),
    renamed: hands.rename,
    edited: (path) => hands.edit(path, mine),
    replaced: (path) => hands.replace(path, mine),
    deleted: hands.remove,
    spoilt: (path) => {
      hands.edit(path, broken);
      spoilt = place.text(path);
    },
    copied: hands.copy,
  });
  await place.round();
  // Decided about where it is, with one draft each.
  for (const word of ['renamed', 'edited', 'replaced', 'copied'])
    only('draft_reply', `reply ${word}`);
  for (const word of ['edited', 'replaced']) {
    const text = place.text(only('email', `reply ${word}`));
    expect(text).toContain('mine: kept # really');
    expect(text).toMatch(/My words\.\n$/);
    expect(text).toContain('decision: draft_reply');
  }
  expect(only('email', 'reply renamed')).toMatch(/^Needs_Action\/renamed/);
  // A person was quicker.
  expect(place.text(only('email', 'reply finished'))).toMatch(/^status: done$/m);
  expect(only('email', 'reply finished')).toMatch(/^Done\//);
  expect(only('email', 'reply misplaced')).toMatch(/^Approved\//);
  expect(only('email', 'reply misfiled')).toMatch(/^Drafts\//);
  expect(paths('reply deleted')).toEqual([]);
  const drafts = place.notes('Drafts').filter((name) => name.includes('-re-'));
  expect(drafts).toHaveLength(4);
  // What cannot be read is left as it is, and decided about when it can.
  const [path = ''] = paths('reply spoilt');
  expect(place.text(path)).toBe(spoilt);
  hands.edit(path, (text) => text.replace('to: [never closed\n', ''));
  const asked = place.model.requests.length;
  await place.round();
  only('draft_reply', 'reply spoilt');
  await place.round();
  // Nothing is asked about the copy, and nothing drafted for it, however many rounds there are.
  expect(place.model.requests.length).toBe(asked + 1);
  expect(paths('type: email').filter((each) => place.text(each).includes('copied'))).toHaveLength(
    2,
  );
  expect(await place.sent()).toEqual([]);
});

test('a draft that is moved, renamed, edited, replaced, deleted, broken or copied while Gmail is asked leaves once, and its mail is done', async () => {
  const doings: Readonly<Record<string, (path: string) => void>> = {
    'taken back': (path) => hands.move(path, 'Drafts'),
    finished: (path) => hands.move(path, 'Done'),
    misplaced: (path) => hands.move(path, 'Needs_Action'),
    renamed: hands.rename,
    edited: (path) => hands.edit(path, (text) => mine(text).replace('gladly', 'never')),
    replaced: (path) => hands.replace(path, mine),
    deleted: hands.remove,
    spoilt: (path) => hands.edit(path, broken),
    copied: hands.copy,
  };
  const words = Object.keys(doings);
  for (const word of words) await place.deliver(`reply ${word}`);
  await place.round();
  for (const name of place.notes('Drafts')) hands.move(`Drafts/${name}`, 'Approved');
  const done: string[] = [];
  for (const _ of words) {
    const gate = Promise.withResolvers<void>();
    const hit = place.proxy.fault(
      { method: 'POST', path: /\/drafts$/ },
      { kind: 'hold-after', until: gate.promise },
    );
    void hit.then(({ body }) => {
      const { raw } = (JSON.parse(body) as { message: { raw: string } }).message;
      const mail = Buffer.from(raw, 'base64url').toString();
      const word = words.find((each) => mail.includes(`Subject: Re: reply ${each}`)) ?? '';
      doings[word]?.(only('draft_reply', `Re: reply ${word}`));
      done.push(word);
      gate.resolve();
    });
  }
  await place.round();
  expect(done.toSorted()).toEqual(words.toSorted());
  await place.round();
  const subjects = async () => (await place.sent()).map(({ subject }) => subject).sort();
  const expected = words.map((word) => `Re: reply ${word}`).sort();
  expect(await subjects()).toEqual(expected);
  for (const word of words) {
    const mail = only('email', `subject: reply ${word}`);
    expect([word, mail.split('/')[0]]).toEqual([word, 'Done']);
    if (['deleted', 'spoilt', 'copied'].includes(word)) continue;
    const draft = only('draft_reply', `Re: reply ${word}`);
    expect([word, draft.split('/')[0]]).toEqual([word, 'Done']);
    expect(place.text(draft)).toMatch(/^sent_message_id: /m);
    expect(place.text(draft)).not.toContain('rejected');
  }
  const edited = place.text(only('draft_reply', 'Re: reply edited'));
  expect(edited).toContain('never');
  expect(edited).toContain('changed_after_sending: true');
  expect(place.text(only('draft_reply', 'Re: reply replaced'))).toContain('mine: kept # really');
  // A copy, and one that is mended, are the mail that has left.
  const [spoilt = ''] = paths('Re: reply spoilt');
  expect(spoilt).toMatch(/^Approved\//);
  hands.edit(spoilt, (text) => text.replace('to: [never closed\n', '').replace('gladly', 'never'));
  await place.round();
  await place.round();
  expect(place.notes('Approved')).toEqual([]);
  expect(place.notes('Drafts')).toEqual([]);
  expect(paths('Re: reply copied')).toHaveLength(2);
  expect(await subjects()).toEqual(expected);
});

test('a draft that is taken back is not sent, and may be changed and approved again', async () => {
  await place.deliver('reply');
  await place.round();
  void place.proxy.fault(
    { method: 'POST', path: /drafts/, times: 9 },
    { kind: 'answer', status: 503 },
  );
  const approved = hands.move(place.only('Drafts'), 'Approved');
  await place.round();
  const draft = hands.move(approved, 'Drafts');
  const { draft: unconfirmed } = await place.ask('show', { id: draft });
  await expect(
    place.ask('approve', { id: draft, seen: unconfirmed?.seen ?? '' }),
  ).rejects.toMatchObject({ code: 'wrong_state' });
  place.proxy.heal();
  place.ahead += 3_600_000;
  await place.round();
  expect(await place.sent()).toEqual([]);
  expect(place.text(draft)).not.toContain('approved_hash');
  hands.edit(draft, (text) => text.replace('gladly', 'on Friday'));
  hands.move(draft, 'Approved');
  await place.round();
  expect((await place.sent()).map(({ snippet }) => snippet)).toEqual([
    expect.stringContaining('on Friday'),
  ]);
});

test('what has left, was rejected or is finished stays so, wherever it is moved to', async () => {
  await place.deliver('reply sent');
  await place.deliver('reply rejected');
  await place.deliver('info closed');
  await place.round();
  hands.move(only('draft_reply', 'Re: reply sent'), 'Approved');
  hands.move(only('draft_reply', 'Re: reply rejected'), 'Done');
  hands.move(only('email', 'info closed'), 'Done');
  await place.round();
  expect(place.text(only('email', 'info closed'))).toMatch(/^status: done$/m);
  for (const folder of ['Approved', 'Drafts', 'Needs_Action']) {
    for (const word of ['sent', 'rejected'])
      hands.move(only('draft_reply', `Re: reply ${word}`), folder);
    await place.round();
    for (const word of ['sent', 'rejected'])
      expect(only('draft_reply', `Re: reply ${word}`)).toMatch(/^Done\//);
  }
  expect(await place.sent()).toHaveLength(1);
  // A mail that is taken out of Done again is a person's.
  hands.move(only('email', 'info closed'), 'Needs_Action');
  const asked = place.model.requests.length;
  await place.round();
  expect(only('email', 'info closed')).toMatch(/^Needs_Action\//);
  expect(place.model.requests.length).toBe(asked);
});

test('a draft in a wrong folder, without its type, below a folder or too large is not sent, and is shown', async () => {
  await place.deliver('reply one');
  await place.round();
  const draft = place.only('Drafts');
  const misplaced = hands.move(draft, 'Needs_Action');
  await place.round();
  const shown = async (folder: (typeof folders)[number]) =>
    (await place.ask('board', {})).folders[folder].map(({ path, state }) => [path, state]);
  expect(await shown('Needs_Action')).toContainEqual([misplaced, 'misplaced']);
  // A mail stays one, also when a person takes its type away.
  const mail = only('email', 'subject: reply one');
  hands.edit(mail, (text) => text.replace('type: email\n', ''));
  const untyped = hands.move(mail, 'Approved');
  const large = `---\nto: bob@example.org\nsubject: Large\n---\n${'x'.repeat(5 * 1024 * 1024)}`;
  place.write('Approved/large.md', large);
  place.write('Approved/below/note.md', '---\nto: bob@example.org\nsubject: Below\n---\nText\n');
  place.write('Approved/list.txt', '---\nto: bob@example.org\nsubject: Other\n---\nText\n');
  mkdirSync(join(place.folder, 'Approved/folder.md'));
  await place.round();
  expect(await place.sent()).toEqual([]);
  expect(await shown('Approved')).toEqual(
    expect.arrayContaining([
      [untyped, 'misplaced'],
      ['Approved/large.md', 'unreadable'],
    ]),
  );
  expect(place.text('Approved/large.md')).toBe(large);
  expect(existsSync(join(place.folder, 'Approved/below/note.md'))).toBe(true);
  expect(place.faults).toEqual([]);
});

test('a folder that is deleted or renamed in the middle comes back with what belongs there', async () => {
  const doing = () => {
    rmSync(join(place.folder, 'Drafts'), { recursive: true, force: true });
    renameSync(join(place.folder, 'Needs_Action'), join(place.folder, 'Other'));
  };
  await whileDeciding({ one: doing });
  expect(place.notes('Drafts')).toEqual([]);
  renameSync(join(place.folder, 'Other'), join(place.folder, 'Needs_Action'));
  await place.round();
  expect(only('draft_reply', 'Re: reply one')).toMatch(/^Drafts\//);
  const log = readFileSync(join(place.folder, 'Logs/orchestrator_state.json'), 'utf8');
  expect(JSON.parse(log)).toMatchObject({ machine: 'machine-1' });
});
