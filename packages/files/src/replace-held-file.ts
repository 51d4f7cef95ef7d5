import { closeSync, constants, fstatSync, lstatSync, renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyAttributes, hasAttributes } from './copy-attributes.ts';
import { exchangeFiles } from './exchange-files.ts';
import { FilesError } from './files-error.ts';
import { findWriters } from './find-writers.ts';
import { type FileStamp, type HeldFile, isSameState, readAll, stampOf } from './held-file.ts';
import { isOpenForWriting } from './is-open-for-writing.ts';
import { type LocatedFile, openFileInSync } from './open-file.ts';
import { removeLeftovers, syncFolder, temporaryFileIn } from './temporary-file.ts';
import { writeDurably } from './write-durably.ts';

/**
 * How replacing a file ended: `changed` when another program wrote or replaced it first. `late` is what another
 * program wrote into the old file around the moment of the replacement.
 */
export type Replacement =
  | { readonly kind: 'changed' }
  | { readonly kind: 'replaced'; readonly late: Buffer | null };

/** Runs the one step in which the new file gets its name, so that a caller can keep its own kind from doing so meanwhile. */
type WhileNaming = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Programs that have the file open for writing are waited for this long. */
const patienceMs = 5_000;

/** A file that was written in this time may be saved again at any moment, so that no care is too much. */
const recentMs = 10_000;

/**
 * Gives a file new content while nobody else changed it, so that a reader or a crash finds the old content or the
 * new one. The old file stays held, and what another program still wrote into it is handed back.
 */
export async function replaceHeldFile(
  file: LocatedFile,
  held: HeldFile,
  bytes: Uint8Array,
  whileNaming: WhileNaming = (task) => task(),
): Promise<Replacement> {
  const { folder, name } = file;
  removeLeftovers(folder);
  using temporary = temporaryFileIn(folder);
  const [isClosed, isBare] = await Promise.all([
    isClosedByOthers(name, held),
    writeDurably(temporary.path, { bytes, like: fstatSync(held.descriptor) }).then(() =>
      copyAttributesOf(file, held, temporary.name),
    ),
  ]);
  if (!isClosed) throw heldOpen(file);
  const othersWroteAt = lastWriteOfOthers(held.stamp);
  const isRecent = Date.now() - othersWroteAt < recentMs;
  const ours = lstatSync(temporary.path, { bigint: true });
  const how = await whileNaming(async () => {
    const exchanged = isRecent ? await exchange(file, held, temporary.name) : 'unsupported';
    if (exchanged !== 'unsupported') return exchanged;
    return (await renameOver(file, held, temporary.path)) ? 'unsupported' : 'changed';
  });
  if (how === 'changed') return { kind: 'changed' };
  await syncFolder(folder);
  const late = how === 'unsupported' ? undefined : await readTakenOut(file, held, temporary.name);
  const oldName = how === 'unsupported' ? name : temporary.name;
  const written = late ?? (await lateWrites(oldName, held, isRecent));
  const named = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  const bareSince = isBare && named?.ino === ours.ino ? named.ctimeNs : null;
  rememberOwn(ours, { othersWroteAt: written === null ? othersWroteAt : Date.now(), bareSince });
  return { kind: 'replaced', late: written };
}

/** Gives the new file the attributes of the old one; resolves with whether there are none. */
async function copyAttributesOf(
  { folder, name }: LocatedFile,
  { stamp }: HeldFile,
  to: string,
): Promise<boolean> {
  // Setting an attribute changes the time of the file's state.
  const isKnown = ownWrites.get(keyOf(stamp))?.bareSince === stamp.ctimeNs;
  if (isKnown || !(await hasAttributes(folder, name))) return true;
  await copyAttributes(folder, name, to);
  return false;
}

/** What is known of a file that this process wrote. */
interface OwnWrite {
  /** When others had written what it replaced: a run of many blocks is no reason for care. */
  readonly othersWroteAt: number;
  /** The time of its state when it had no extended attributes; null when it has some. */
  readonly bareSince: bigint | null;
}

const ownWrites = new Map<string, OwnWrite>();

/**
 * Says that this process has made a file that was not there, `written` before it got its name: nobody else has written
 * it, and what it inherited from its folder, a file that takes its place inherits as well.
 */
export function rememberMadeFile(
  { folder, name }: Pick<LocatedFile, 'folder' | 'name'>,
  written: OwnStamp,
): void {
  const made = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  if (made !== undefined) rememberOwn(written, { othersWroteAt: 0, bareSince: made.ctimeNs });
}

function rememberOwn(stamp: OwnStamp, write: OwnWrite): void {
  ownWrites.set(keyOf(stamp), write);
  const [oldest = ''] = ownWrites.keys();
  if (ownWrites.size > 1_000) ownWrites.delete(oldest);
}

type OwnStamp = Pick<FileStamp, 'dev' | 'ino' | 'size' | 'mtimeNs'>;

function keyOf({ dev, ino, size, mtimeNs }: OwnStamp): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

function lastWriteOfOthers(stamp: FileStamp): number {
  return ownWrites.get(keyOf(stamp))?.othersWroteAt ?? Number(stamp.mtimeNs / 1_000_000n);
}

/** Gives the new file the name of the old one, which gets the temporary name. */
async function exchange({ root, folder, name }: LocatedFile, held: HeldFile, temporary: string) {
  if (!isStillThere({ folder, name }, held)) return 'changed';
  if (!root.holdsFolders) return 'unsupported';
  const end = await exchangeFiles(folder, temporary, name);
  return end === 'missing' ? 'changed' : end;
}

/** What the exchange took out of the note's place, when that is not the file that is held. */
async function readTakenOut(
  { root, folder }: LocatedFile,
  held: HeldFile,
  name: string,
): Promise<Buffer | undefined> {
  const { descriptor } = openFileInSync({ root, folder, name }, constants.O_RDONLY);
  try {
    const stamp = stampOf(descriptor);
    if (stamp.ino === held.stamp.ino && stamp.dev === held.stamp.dev) return undefined;
    await isClosedByOthers(name, { stamp, descriptor });
    return readAll(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Renames the new file over the old one; false when that is not there any more as it was read. */
async function renameOver(file: LocatedFile, held: HeldFile, from: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    // Nothing may come between the look at the file and the rename: no promise is waited for.
    if (!isStillThere(file, held)) return false;
    try {
      renameSync(from, file.folder.at(file.name));
      return true;
    } catch (error) {
      // Windows refuses while a reader has the file open, which passes.
      const { code = '' } = error as NodeJS.ErrnoException;
      const passes = process.platform === 'win32' && ['EPERM', 'EBUSY'].includes(code);
      if (!passes || attempt === 20) throw error;
      await sleep(25);
    }
  }
}

/** Whether the name still means the file that is held, and it has not been written since. */
function isStillThere(
  { folder, name }: Pick<LocatedFile, 'folder' | 'name'>,
  { stamp }: HeldFile,
): boolean {
  const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  return now !== undefined && isSameState(stamp, now);
}

async function lateWrites(name: string, held: HeldFile, isRecent: boolean): Promise<Buffer | null> {
  if (isRecent || !isSameState(held.stamp, stampOf(held.descriptor))) {
    // Nobody can open the old file any more: who has it open now is all who can write into it.
    if (process.platform === 'linux') await isClosedByOthers(name, held);
    else await untilUnchanged(held.descriptor);
  }
  const now = readAll(held.descriptor);
  return now.equals(held.bytes) ? null : now;
}

/** Waits until no other program has an open file open for writing; false when one does not close it. */
async function isClosedByOthers(
  name: string,
  { stamp, descriptor }: Pick<HeldFile, 'stamp' | 'descriptor'>,
): Promise<boolean> {
  const until = Date.now() + patienceMs;
  let isWritten = await isOpenForWriting(descriptor);
  for (; isWritten; isWritten = await isOpenForWriting(descriptor)) {
    if (Date.now() > until) return false;
    await sleep(10);
  }
  if (isWritten === false) return true;
  let writers = await findWriters(name, stamp);
  for (; writers.length > 0; writers = writers.filter((writer) => writer.isOpen())) {
    if (Date.now() > until) return false;
    await sleep(10);
  }
  return true;
}

/** Where open files are not shown: waits until the file stays as it is for a moment. */
async function untilUnchanged(descriptor: number): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; ) {
    const before = stampOf(descriptor);
    await sleep(50);
    if (isSameState(before, stampOf(descriptor))) return;
  }
}

function heldOpen({ segments }: LocatedFile): FilesError {
  return new FilesError(
    'held_open',
    segments,
    (path) => `Another program has ${path} open for writing.`,
  );
}
