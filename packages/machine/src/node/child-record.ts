import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { findProcess, isDroppedInstance, ownInstance, pidSpace } from '@errand/files/processes';
import { z } from 'zod';
import { endProcessTree, type ProcessTree, type ShutdownTimes } from './end-process-tree.ts';

/** The record of a child process: enough to find it again, and to know whether its host still runs. */
const recordedChild = z.object({
  pid: z.int().min(2),
  startedAt: z.string(),
  mark: z.uuid(),
  server: z.string(),
  host: z.object({ pid: z.int(), startedAt: z.string(), instance: z.string().optional() }),
  /** The pid namespace of these pids. */
  space: z.string(),
  recordedAt: z.number(),
});
type RecordedChild = z.infer<typeof recordedChild>;

/** Where the children of all hosts of a user are recorded. */
export function childrenFolderIn(stateFolder: string): string {
  return join(stateFolder, 'children');
}

let ownStart: Promise<string> | undefined;

/** Records a child so that a later host can end it if this one is killed. Returns a function that removes the record. */
export async function recordChild(
  folder: string,
  tree: ProcessTree,
  server: string,
): Promise<() => void> {
  ownStart ??= findProcess(process.pid).then((row) => row?.startedAt ?? '');
  const host = { pid: process.pid, startedAt: await ownStart, instance: ownInstance() };
  const record: RecordedChild = {
    ...tree,
    server,
    host,
    space: pidSpace(),
    recordedAt: Date.now(),
  };
  const path = join(folder, `${tree.pid}-${tree.mark}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Written atomically, as another host may be reading the folder, but without waiting for the disk as
  // `replaceFile` does, because no child outlives a crash of the machine.
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}

/** Ends the processes that killed hosts, or a deposed one, left running, with their descendants; returns the names of their servers. */
export async function endOrphanedChildren(
  folder: string,
  times: ShutdownTimes,
  deposed?: RecordedChild['host'],
): Promise<string[]> {
  const ended = await Promise.all(
    readRecords(folder).map(async ({ path, record }) => {
      // Processes started in another container are not ours to end.
      if (record !== undefined && record.space !== pidSpace()) return [];
      const isDeposed =
        record?.host.pid === deposed?.pid && record?.host.startedAt === deposed?.startedAt;
      if (record !== undefined && !isDeposed && (await isRunning(record.host))) return [];
      // Nothing survives a restart of the machine, but its pids mean others now.
      const isOfThisBoot = record !== undefined && record.recordedAt > bootedAt();
      if (isOfThisBoot) await endProcessTree(record, times);
      rmSync(path, { force: true });
      return isOfThisBoot ? [record.server] : [];
    }),
  );
  return ended.flat();
}

function bootedAt(): number {
  return Date.now() - uptime() * 1000;
}

async function isRunning(process: RecordedChild['host']) {
  if (isDroppedInstance(process.pid, process.instance)) return false;
  return (await findProcess(process.pid))?.startedAt === process.startedAt;
}

function readRecords(folder: string) {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // There are no records.
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ path: join(folder, name), record: readRecord(join(folder, name)) }));
}

function readRecord(path: string): RecordedChild | undefined {
  try {
    return recordedChild.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Not written by us, or taken away by another host that is cleaning up too.
    return undefined;
  }
}
