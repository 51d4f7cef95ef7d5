import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '@errand/host';
import { exampleServer, ManualClock, memoryHost } from '@errand/host/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { startSource } from '../testing/start-source.ts';
import { ChainTracker } from './chain-tracker.ts';
import { fileSource } from './file-source.ts';
import { watchedPaths } from './watched-paths.ts';

const patience = { timeout: 15_000, interval: 10 };

test.each([
  [
    'Inbox/*.md',
    ['Inbox/a.md'],
    ['Inbox/a.txt', 'Inbox/x/a.md', 'a.md', 'Inbox/.a.md'],
    ['Inbox'],
    ['Inbox/x', 'Other'],
  ],
  [
    '**/*.md',
    ['a.md', 'x/y/a.md'],
    ['.x/a.md', 'node_modules/a.md'],
    ['x', 'x/y'],
    ['.git', 'x/node_modules', '.obsidian'],
  ],
  [
    '.github/**',
    ['.github/w/a.yml'],
    ['.git/config', 'a/.github/x'],
    ['.github', '.github/w'],
    ['.git', 'a'],
  ],
  [
    '**',
    ['a', 'x/a~b'],
    ['.errand/log', 'a.md~', 'Attachments/errand/1.png'],
    ['Attachments'],
    ['Attachments/errand', '.errand'],
  ],
])('watches for %s only what it means', (glob, files, noFiles, folders, noFolders) => {
  const paths = watchedPaths([glob], ['Attachments/errand']);
  expect([...files, ...noFiles].filter(paths.isFile)).toEqual(files);
  expect([...folders, ...noFolders].filter(paths.isFolder)).toEqual(folders);
});

test('one save is one event, however the file is written', async () => {
  const { write, path, started, settle } = await fixture({ 'Inbox/n.md': 'one' }, everything());
  // In place, in parts.
  write('Inbox/n.md', '');
  write('Inbox/n.md', 'part');
  write('Inbox/n.md', 'part, whole');
  expect(await settle()).toEqual(['changed Inbox/n.md']);
  // By a rename over it.
  write('Inbox/n.md.new', 'two');
  renameSync(path('Inbox/n.md.new'), path('Inbox/n.md'));
  expect(await settle()).toEqual(['changed Inbox/n.md']);
  // Deleted and made anew, with a backup in between.
  renameSync(path('Inbox/n.md'), path('Inbox/n.md~'));
  write('Inbox/n.md', 'three');
  rmSync(path('Inbox/n.md~'));
  expect(await settle()).toEqual(['changed Inbox/n.md']);
  write('Inbox/new.md', '');
  write('Inbox/new.md', 'text');
  expect(await settle()).toEqual(['created Inbox/new.md']);
  chmodSync(path('Inbox/new.md'), 0o600);
  expect(await settle()).toEqual([]);
  rmSync(path('Inbox/new.md'));
  expect(await settle()).toEqual(['deleted Inbox/new.md']);
  expect(started.events.at(0)).toMatchObject({
    kind: 'file',
    fields: {
      filePath: 'Inbox/n.md',
      fileName: 'n.md',
      file: { event: 'changed', size: 11, merged: expect.any(Number) },
    },
  });
  expect(new Set(started.events.map(({ id }) => id)).size).toBe(started.events.length);
});

test('a file that is written with short pauses is one save', async () => {
  const clock = new ManualClock();
  const { write, started } = await fixture({ 'n.md': '' }, { clock }, everything());
  for (const text of ['one', 'one, two', 'one, two, three']) {
    write('n.md', text);
    // The notice of the system takes a moment.
    await systemClock.sleep(100);
    await clock.advance(60);
  }
  expect(started.events).toEqual([]);
  await expect
    .poll(async () => {
      await clock.advance(50);
      return started.events.map(told);
    }, patience)
    .toEqual(['changed n.md']);
});

test('a file that an editor deletes and creates a moment later has changed', async () => {
  const clock = new ManualClock();
  const { write, path, started } = await fixture({ 'n.md': 'one' }, { clock }, everything());
  rmSync(path('n.md'));
  const isWaiting = () => clock.sleepers === 1;
  await expect.poll(isWaiting, patience).toBe(true);
  await clock.advance(150);
  await expect.poll(isWaiting, patience).toBe(true);
  expect(started.events).toEqual([]);
  write('n.md', 'two');
  await expect
    .poll(async () => {
      await clock.advance(50);
      return started.events.map(told);
    }, patience)
    .toEqual(['changed n.md']);
});

test('tells of hundreds at once, each once, and of whole folders that come and go', async () => {
  const { write, path, settle } = await fixture({}, everything());
  const names = Array.from({ length: 300 }, (_, index) => `New/deep/${index}.md`);
  for (const name of names) write(name, 'one');
  expect((await settle()).sort()).toEqual(names.map((name) => `created ${name}`).sort());
  renameSync(path('New'), path('Old'));
  const moved = await settle();
  expect(moved.filter((told) => told.startsWith('deleted New/'))).toHaveLength(300);
  expect(moved.filter((told) => told.startsWith('created Old/'))).toHaveLength(300);
  write('Old/deep/1.md', 'changed');
  expect(await settle()).toEqual(['changed Old/deep/1.md']);
});

test('loses nothing in a storm that the system itself cannot keep up with', async () => {
  const folders = Array.from(
    { length: 100 },
    (_, index) => [`Storm/${index}/seed.md`, ''] as const,
  );
  const { write, started } = await fixture(Object.fromEntries(folders), everything());
  // The queue of the system is full before this loop lets it be read, and what comes then is dropped.
  for (let index = 0; index < 10_000; index += 1) write(`Storm/${index % 100}/${index}.md`, 'one');
  await expect.poll(() => started.events.length, { ...patience, timeout: 60_000 }).toBe(10_000);
  expect(new Set(started.events.map(({ id }) => id)).size).toBe(10_000);
  expect(started.faults).toEqual([]);
}, 90_000);

test('tells how many notices one event was merged from', async () => {
  const { write, started, settle } = await fixture({ 'n.md': '', 'm.md': '' }, everything());
  // The system itself merges notices of one file that follow each other.
  for (let index = 0; index < 400; index += 1) write(index % 2 ? 'm.md' : 'n.md', `${index}`);
  expect((await settle()).sort()).toEqual(['changed m.md', 'changed n.md']);
  const notices = started.events.map(({ fields }) => fields.file as { readonly merged: number });
  expect(Math.max(...notices.map(({ merged }) => merged))).toBeGreaterThan(100);
});

test('follows the triggers: what is new begins as it is, what is no longer wanted is left alone', async () => {
  const files = { 'A/n.md': 'one', 'B/n.md': 'one', 'C/n.md': 'one' };
  const { write, started } = await fixture(files);
  const heard = () => started.events.map(told);
  write('A/n.md', 'before anybody wants it');
  await started.want(onFiles('A/*.md', ['changed']), onFiles('C/*.md', ['created']));
  write('C/n.md', 'changed');
  write('A/n.md', 'two');
  await expect.poll(heard, patience).toEqual(['changed A/n.md']);
  await started.want(onFiles('B/*.md', ['changed']), onFiles('C/*.md', ['created']));
  write('A/n.md', 'three');
  write('C/m.md', 'one');
  write('B/n.md', 'two');
  await expect.poll(heard, patience).toHaveLength(3);
  expect(heard().slice(1).sort()).toEqual(['changed B/n.md', 'created C/m.md']);
  await started.source[Symbol.asyncDispose]();
  write('B/n.md', 'five');
  await systemClock.sleep(150);
  expect(heard()).toHaveLength(3);
});

test('files that an action may have written inherit its chain', async () => {
  const { write, started, chains, settle } = await fixture({}, everything());
  const chain = { id: 'chain-1', depth: 1, hooks: ['a'] };
  {
    using _action = chains.begin(chain, { mayWrite: (path) => path.startsWith('Out/') });
    write('Out/n.md', 'one');
    write('In/n.md', 'one');
    await settle();
  }
  write('Out/later.md', 'one');
  await settle();
  const chained = started.events.filter((event) => event.chain?.id === chain.id);
  expect(chained.map(({ fields }) => fields.filePath)).toEqual(['Out/n.md', 'Out/later.md']);
});

test('a file that is saved right after a program has ended is not its effect', async () => {
  const { write, started, chains, settle } = await fixture({}, everything());
  const chain = { id: 'chain-1', depth: 1, hooks: ['a'] };
  {
    using _action = chains.begin(chain, { leavesNothing: true });
    write('by the program.md', 'one');
  }
  // The time of a file is as coarse as the ticks of the kernel.
  await systemClock.sleep(20);
  write('by a person.md', 'one');
  await settle();
  const chainOf = (path: string) =>
    started.events.filter(({ fields }) => fields.filePath === path).map(({ chain }) => chain?.id);
  expect(chainOf('by the program.md')).toEqual(['chain-1']);
  expect(chainOf('by a person.md')).toEqual([undefined]);
});

test('follows no link, and takes a vault that is moved away for no deletion', async () => {
  const { write, path, folder, started, settle } = await fixture({ 'n.md': 'one' }, everything());
  const outside = mkdtempSync(join(tmpdir(), 'errand-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  symlinkSync(outside, path('link'));
  writeFileSync(join(outside, 'x.md'), 'one');
  symlinkSync(join(outside, 'x.md'), path('x.md'));
  expect(await settle()).toEqual([]);
  renameSync(folder, `${folder}-moved`);
  await systemClock.sleep(500);
  renameSync(`${folder}-moved`, folder);
  write('m.md', 'one');
  await expect.poll(() => started.events.map(told), patience).toContain('created m.md');
  expect(started.events.map(told)).not.toContain('deleted n.md');
});

function everything(): Trigger {
  return onFiles('**/*.md', ['created', 'changed', 'deleted']);
}

function onFiles(glob: string, events: ('created' | 'changed' | 'deleted')[]): Trigger {
  return { kind: 'file', glob, events };
}

function told({ fields }: HookEvent): string {
  const { event, path } = fields.file as { readonly event: string; readonly path: string };
  return `${event} ${path}`;
}

async function fixture(
  files: Readonly<Record<string, string>>,
  ...given: readonly (Trigger | { readonly clock: Clock })[]
) {
  const [{ clock } = { clock: systemClock }] = given.filter((one) => 'clock' in one);
  const triggers = given.filter((one) => 'kind' in one);
  // Thousands of files are written faster in memory.
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(parent, 'errand-files-'));
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const memory = await memoryHost([exampleServer]);
  const chains = new ChainTracker(clock);
  const ports = { folder, clock, host: memory.host, chains };
  const started = await startSource(fileSource(ports), ...triggers);
  onTestFinished(async () => {
    await started[Symbol.asyncDispose]();
    await memory[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  let seen = 0;
  let sentinels = 0;
  /** What is told of everything so far: a file is made and deleted last, which takes longest to be told. */
  const settle = async () => {
    sentinels += 1;
    const name = `sentinel-${sentinels}.md`;
    const isTold = (event: string) => () => started.events.map(told).includes(`${event} ${name}`);
    write(name, '');
    await expect.poll(isTold('created'), patience).toBe(true);
    rmSync(path(name));
    await expect.poll(isTold('deleted'), patience).toBe(true);
    const events = started.events.slice(seen).map(told);
    seen = started.events.length;
    return events.filter((line) => !line.includes('sentinel'));
  };
  return { folder, path, write, started, chains, settle };
}
