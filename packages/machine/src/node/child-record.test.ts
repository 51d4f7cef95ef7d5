import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProcess, pidSpace } from '@errand/files/processes';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import { journalled } from '../testing/journal.ts';
import type { ServerScript } from '../testing/server-script.ts';
import { endOrphanedChildren } from './child-record.ts';

const times = { afterEndOfInput: 100, afterTerm: 100 };

test('lets a server that honours the end of input exit after its host was killed', async () => {
  await using bench = new ConnectionBench();
  const host = await startHost(bench, {});
  const { pid } = await journalled(bench.journal, ({ kind }) => kind === 'started', soon());
  await kill(host);
  await gone(pid);
});

test.each(['group', 'session'] as const)(
  'ends what a killed host left behind, a grandchild in its %s included',
  async (grandchild) => {
    await using bench = new ConnectionBench();
    const host = await startHost(bench, { onEndOfInput: 'ignore', ignoreTerm: true, grandchild });
    const { pid } = await journalled(bench.journal, ({ kind }) => kind === 'started', soon());
    const child = await journalled(bench.journal, ({ kind }) => kind === 'grandchild', soon());
    await kill(host);
    expect(await running(pid, child.pid)).toEqual([true, true]);
    expect(await endOrphanedChildren(bench.childrenFolder, times)).toEqual(['scripted']);
    expect(await running(pid, child.pid)).toEqual([false, false]);
    expect(readdirSync(bench.childrenFolder)).toEqual([]);
  },
);

test('ends what a window that was loaded anew in the same process left behind', async () => {
  await using bench = new ConnectionBench();
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
  const pid = left.pid ?? 0;
  const child = { pid, startedAt: (await findProcess(pid))?.startedAt ?? '' };
  const startedAt = (await findProcess(process.pid))?.startedAt ?? '';
  mkdirSync(bench.childrenFolder);
  const write = (instance?: string) =>
    writeFileSync(
      join(bench.childrenFolder, 'left.json'),
      JSON.stringify({ ...recordFor(child), host: { pid: process.pid, startedAt, instance } }),
    );
  write();
  expect(await endOrphanedChildren(bench.childrenFolder, times)).toEqual([]);
  write('of the window before');
  const ended = once(left, 'exit');
  expect(await endOrphanedChildren(bench.childrenFolder, times)).toEqual(['old']);
  await ended;
});

test('ends the grandchild of a server that has already gone', async () => {
  await using bench = new ConnectionBench();
  const host = await startHost(bench, { grandchild: 'session' });
  const { pid } = await journalled(bench.journal, ({ kind }) => kind === 'started', soon());
  const child = await journalled(bench.journal, ({ kind }) => kind === 'grandchild', soon());
  await kill(host);
  await gone(pid);
  await endOrphanedChildren(bench.childrenFolder, times);
  expect(await running(child.pid)).toEqual([false]);
});

test('leaves the children of a living host alone', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  expect(await endOrphanedChildren(bench.childrenFolder, times)).toEqual([]);
  expect(await callText(connection, 'echo', { text: 'alive' })).toBe('alive');
});

test('kills nothing for a broken record, or when the pid was reused', async () => {
  await using bench = new ConnectionBench();
  mkdirSync(bench.childrenFolder);
  const record = recordFor({ pid: process.pid, startedAt: 'another time' });
  writeFileSync(join(bench.childrenFolder, 'reused.json'), JSON.stringify(record));
  writeFileSync(join(bench.childrenFolder, 'spoiled.json'), '{"pid": 1');
  writeFileSync(
    join(bench.childrenFolder, 'markless.json'),
    JSON.stringify({ ...record, mark: '' }),
  );
  await endOrphanedChildren(bench.childrenFolder, times);
  expect(readdirSync(bench.childrenFolder)).toEqual([]);
});

test('leaves alone what it cannot judge: records of another container, or of an earlier start', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const { pid } = JSON.parse(await callText(connection, 'environment'));
  const child = { pid, startedAt: (await findProcess(pid))?.startedAt ?? '' };
  const write = (name: string, record: object) =>
    writeFileSync(join(bench.childrenFolder, name), JSON.stringify(record));
  write('elsewhere.json', { ...recordFor(child), space: 'another container' });
  write('earlier.json', { ...recordFor(child), recordedAt: 0 });
  expect(await endOrphanedChildren(bench.childrenFolder, times)).toEqual([]);
  expect(readdirSync(bench.childrenFolder)).toContain('elsewhere.json');
  expect(readdirSync(bench.childrenFolder)).not.toContain('earlier.json');
  expect(await callText(connection, 'echo', { text: 'alive' })).toBe('alive');
});

test('does nothing without records', async () => {
  await using bench = new ConnectionBench();
  expect(await endOrphanedChildren(join(bench.folder, 'nowhere'), times)).toEqual([]);
});

/** The record of a child whose host is gone. */
function recordFor(child: { readonly pid: number; readonly startedAt: string }) {
  return {
    ...child,
    mark: crypto.randomUUID(),
    server: 'old',
    host: { pid: 2 ** 22, startedAt: 'long ago' },
    space: pidSpace(),
    recordedAt: Date.now(),
  };
}

async function startHost(bench: ConnectionBench, script: ServerScript): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../testing/host-program.ts', import.meta.url));
  const args = [program, bench.folder, JSON.stringify({ ...script, journal: bench.journal })];
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(host.stdout, 'data');
  return host;
}

async function kill(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

async function running(...pids: readonly number[]): Promise<boolean[]> {
  return (await Promise.all(pids.map(findProcess))).map((found) => found !== undefined);
}

/** Nobody tells us of the end of a process that is not our child. */
async function gone(pid: number): Promise<void> {
  while ((await findProcess(pid)) !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
