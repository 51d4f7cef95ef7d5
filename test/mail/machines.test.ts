import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailPlace } from './mail-place.ts';
import { openRoomAt } from './room-at.ts';

const stateFile = 'Logs/orchestrator_state.json';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

test('of two machines on one vault only the one that is named sends, until a person says otherwise', async () => {
  await place.deliver('reply');
  await place.round();
  const [name = ''] = place.notes('Drafts');
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
  place.machine = { id: 'machine-2', name: 'laptop' };
  await place.restart();
  await place.deliver('reply two');
  await place.room.run();
  await place.room.settle();
  const board = await place.ask('board', {});
  expect(board).toMatchObject({ state: 'elsewhere', machine: 'desk' });
  await expect(place.ask('run', {})).rejects.toMatchObject({ code: 'elsewhere' });
  expect(await place.sent()).toEqual([]);
  expect(place.notes('Needs_Action')).toHaveLength(1);
  await place.ask('take-over', {});
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Drafts')).toHaveLength(1);
  place.machine = { id: 'machine-1', name: 'desk' };
  await place.restart();
  expect((await place.ask('board', {})).state).toBe('elsewhere');
});

test('a machine that is not named does not begin, and cannot send from another mailbox', async () => {
  const own = readState();
  place.machine = { id: 'machine-2', name: 'laptop' };
  await place.restart();
  await expect(place.ask('begin', { take: 'new' })).rejects.toMatchObject({ code: 'elsewhere' });
  expect(readState()).toEqual(own);
  place.write(stateFile, JSON.stringify({ ...own, mailbox: 'somebody@else.example' }));
  await expect(place.ask('take-over', {})).rejects.toMatchObject({
    code: 'elsewhere',
    message: expect.stringMatching(
      /mail of somebody@else\.example.*logged in as .*delete Logs\/orchestrator_state\.json/,
    ),
  });
  expect(readState()).toMatchObject({ machine: own.machine });
  place.write(stateFile, '{ broken');
  await expect(place.ask('begin', { take: 'new' })).rejects.toMatchObject({ code: 'elsewhere' });
});

test('to begin again changes what is taken, and does not end a pause', async () => {
  const { since } = readState();
  await place.ask('pause', {});
  await place.ask('begin', { take: { days: 300 } });
  expect(readState()).toMatchObject({ paused: true });
  expect(String(readState().since) < String(since)).toBe(true);
});

test('what lay in Approved before the first start waits for a person here', async () => {
  await place.deliver('reply');
  await place.round();
  const [name = ''] = place.notes('Drafts');
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
  place.write(
    'Approved/theirs.md',
    '---\ntype: email_draft\nto: bob@example.org\nsubject: Theirs\nstatus: pending_approval\n---\n\nThe money.\n',
  );
  await forgetStart();
  await place.ask('begin', { take: { days: 30 } });
  await place.round();
  expect(await place.sent()).toEqual([]);
  expect(place.notes('Approved')).toEqual([]);
  expect(new Set(place.notes('Drafts'))).toEqual(new Set([name, 'theirs.md']));
  expect(place.notices.map(({ message }) => message)).toContain(
    'The draft "Theirs" lay in Approved before mail was first taken here, and waits for another approval.',
  );
  renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
  await place.round();
  expect(await place.sent()).toHaveLength(1);
});

test('a state file that cannot be read belongs to another machine', async () => {
  place.write(stateFile, '{ broken');
  await place.deliver('reply');
  await place.room.run();
  expect((await place.ask('board', {})).state).toBe('elsewhere');
  expect(place.notes('Needs_Action')).toEqual([]);
});

function readState(): Record<string, unknown> {
  return JSON.parse(place.text(stateFile));
}

/** Nobody has said which mails to take. */
async function forgetStart(): Promise<void> {
  await place.stop();
  rmSync(join(place.folder, stateFile));
  await place.start({ isBegun: false });
}

test('the first start asks what to take, and takes what it is told', async () => {
  await forgetStart();
  await place.deliver('info old');
  await place.room.run();
  const board = await place.ask('board', {});
  expect(board).toMatchObject({ state: 'first-start', unread: 1 });
  expect(place.notes('Needs_Action')).toEqual([]);
  await expect(place.ask('run', {})).rejects.toMatchObject({ code: 'first_start' });
  place.ahead = 5_000;
  await place.ask('begin', { take: 'new' });
  place.ahead = 0;
  await place.round();
  expect(place.notes('Needs_Action')).toEqual([]);
  await place.ask('begin', { take: { days: 7 } });
  await place.round();
  expect(place.notes('Needs_Action')).toHaveLength(1);
});

test.each([
  { mails: 250, estimate: 201, asked: { unread: 250 } },
  { mails: 250, estimate: 10_000, asked: { unread: 250 } },
  { mails: 10_000, estimate: 201, asked: { unread: 1_000, hasMoreUnread: true } },
])(
  'a mailbox of $mails mails that Gmail estimates at $estimate is asked about as it was counted',
  async ({ mails, estimate, asked }) => {
    await forgetStart();
    const headers = { 'content-type': 'application/json' };
    for (let from = 0; from < mails; from += 100) {
      const length = Math.min(100, mails - from);
      const messages = Array.from({ length }, (_, at) => ({ id: `m${from + at}` }));
      const nextPageToken = from + length < mails ? String(from + length) : undefined;
      const body = JSON.stringify({ messages, nextPageToken, resultSizeEstimate: estimate });
      void place.proxy.fault(
        { path: /\/messages$/ },
        { kind: 'answer', status: 200, headers, body },
      );
    }
    await place.room.run();
    const { unread, hasMoreUnread } = await place.ask('board', {});
    expect({ unread, hasMoreUnread }).toEqual(asked);
    expect(place.notes('Needs_Action')).toEqual([]);
  },
);

test('a dry run fetches and decides, and leaves no trace', async () => {
  await place.deliver('reply');
  await place.deliver('archive');
  const { round, decisions } = await place.ask('run', { dryRun: true });
  expect(round).toMatchObject({ isDryRun: true, fetched: 2, decided: 2, sent: 0 });
  expect(decisions.map(({ decision }) => decision).sort()).toEqual(['archive', 'draft_reply']);
  for (const folder of ['Needs_Action', 'Drafts', 'Approved', 'Done'])
    expect(place.notes(folder)).toEqual([]);
  expect(place.logs()).toEqual([]);
  const { messages = [] } = await place.gmail<{ messages?: object[] }>(
    'GET',
    'messages?q=label:AI_PROCESSED',
  );
  expect(messages).toEqual([]);
});

test('rules of the settings decide without a model, with a folder of their own', async () => {
  place.mail = {
    ...place.mail,
    rules: [{ name: 'news', from: 'news@', decision: 'archive', folder: 'News', label: 'Read' }],
  };
  const before = place.model.requests.length;
  const id = await place.deliver('reply weekly', 'What is new', ['From: News <news@example.org>']);
  await place.deliver('reply invoice', 'Your invoice', ['From: News <news@example.org>']);
  await place.round();
  expect(place.model.requests.length).toBe(before);
  expect(place.notes('Done/News')).toHaveLength(1);
  expect(place.text(place.only('Needs_Action'))).toMatch(
    /decision_rules:\n\s+- settings\n\s+- money/,
  );
  const why = await place.ask('why', { id });
  expect(why).toMatchObject({
    decision: 'archive',
    decidedBy: 'rule',
    rule: 'news',
    rules: ['settings'],
  });
  expect(why.history.map(({ event }) => event)).toContain('decision');
});

test('an id can be cut, a wrong one is refused, and unknown methods and parameters are named', async () => {
  const id = await place.deliver('info');
  await place.round();
  expect((await place.ask('show', { id: id.slice(0, 10) })).item.id).toBe(id);
  await expect(place.ask('show', { id: 'nothing' })).rejects.toMatchObject({ code: 'not_found' });
  const { signal } = new AbortController();
  await expect(place.service.answer('send', {}, signal)).rejects.toMatchObject({ code: 'invalid' });
  await expect(place.service.answer('show', { id, to: 'x' }, signal)).rejects.toMatchObject({
    code: 'invalid',
  });
  await expect(place.ask('approve', { id, seen: '' })).rejects.toMatchObject({
    code: 'wrong_state',
  });
  expect((await place.ask('log', { id })).entries.map(({ event }) => event)).toContain('decision');
});

test('two machines that run at once on one vault: one fetches and sends, and after a word of a person the other', async () => {
  const home = join(place.home, 'laptop');
  mkdirSync(home);
  const laptop = openRoomAt({
    folder: place.folder,
    home,
    host: () => place.host.host,
    settings: () => place.mail,
    assistant: place.model.assistant('openai-compatible'),
    machine: { id: 'machine-2', name: 'laptop' },
    ahead: () => place.ahead,
    emit: () => undefined,
    notify: () => undefined,
    onFault: (error) => void place.faults.push(error),
  });
  await using _closing = {
    async [Symbol.asyncDispose]() {
      await laptop.room[Symbol.asyncDispose]();
      await laptop.jobs[Symbol.asyncDispose]();
    },
  };
  const both = async () => {
    const { signal } = new AbortController();
    await Promise.all([place.room.run(), laptop.room.run()]);
    for (const room of [place.room, laptop.room]) {
      await room.idle(signal);
      await room.settle();
      await room.idle(signal);
    }
  };
  const approveAll = () => {
    mkdirSync(join(place.folder, 'Approved'), { recursive: true });
    for (const name of place.notes('Drafts'))
      renameSync(join(place.folder, 'Drafts', name), join(place.folder, 'Approved', name));
  };
  const asked = place.model.requests.length;
  await place.deliver('reply one');
  await both();
  approveAll();
  await both();
  expect(await laptop.room.state()).toBe('elsewhere');
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Done')).toHaveLength(2);
  await laptop.room.takeOver();
  await place.deliver('reply two');
  await both();
  approveAll();
  await both();
  expect(await place.room.state()).toBe('elsewhere');
  expect(await place.sent()).toHaveLength(2);
  expect(place.notes('Done')).toHaveLength(4);
  expect(place.model.requests.length - asked).toBe(2);
  expect(await laptop.jobs.list({ flow: 'mail-send', limit: 9 })).toHaveLength(1);
  expect(await place.jobs.list({ flow: 'mail-send', limit: 9 })).toHaveLength(1);
  expect(place.faults).toEqual([]);
});
