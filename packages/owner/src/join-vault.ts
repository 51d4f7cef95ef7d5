import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectToOwner } from './lease/connect-to-owner.ts';
import type { LeaseFolder } from './lease/lease-folder.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import { type Claimant, type Lease, seizeLease, takeLease } from './lease/take-lease.ts';
import { OwnerError } from './owner-error.ts';
import { busyPatienceMs, isStopped } from './watch-owner.ts';

export interface JoinOptions {
  readonly folder: LeaseFolder;
  readonly claimant: Claimant;
  /** Whether this program stays, so that it may own the vault. */
  readonly canOwn: boolean;
  /** Milliseconds that another program has to become the owner before this one does without it. */
  readonly waitsForOwnerMs: number;
  /** An owner that does not answer any more. */
  readonly deposed?: OwnerInfo;
  readonly signal: AbortSignal;
}

/** What to do with each way of taking part in a vault. */
export interface JoinSteps<Engine> {
  /** Undefined when the owner left, or made way for this program. */
  attach(socket: Socket, owner: OwnerInfo): Promise<Engine | undefined>;
  own(lease: Lease, deposed: OwnerInfo | undefined): Promise<Engine>;
  runAlone(): Promise<Engine>;
}

/** How long a program that cannot own waits for the one that follows an owner which leaves. */
const successionMs = 1_000;

/** Attaches to the owner of a vault, or becomes it; who cannot own runs alone where there is none. */
export async function joinVault<Engine>(
  { folder, claimant, canOwn, waitsForOwnerMs, deposed, signal }: JoinOptions,
  { attach, own, runAlone }: JoinSteps<Engine>,
): Promise<Engine> {
  const startedAt = performance.now();
  const waitedMs = () => performance.now() - startedAt;
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
  let unresponsive = deposed;
  let waitsUntilMs = waitsForOwnerMs;
  for (;;) {
    signal.throwIfAborted();
    if (unresponsive !== undefined) {
      if (!canOwn) return runAlone();
      const lease = await explained(folder, seizeLease(folder, unresponsive, claimant, signal));
      if (!('heldBy' in lease)) return own(lease, unresponsive);
      unresponsive = undefined;
    }
    const contact = await explained(folder, connectToOwner(folder, { signal }));
    if (contact.status === 'connected') {
      const askedAtMs = waitedMs();
      const engine = await attach(contact.socket, contact.owner);
      if (engine !== undefined) return engine;
      // It greets but does not answer.
      if (waitedMs() - askedAtMs > busyPatienceMs) unresponsive = contact.owner;
      // It is about to leave: another is likely to take its place.
      if (!canOwn) waitsUntilMs = Math.max(waitsUntilMs, waitedMs() + successionMs);
      await pause(20);
    } else if (contact.status === 'silent') {
      const isLost = (await isStopped(contact.owner)) || waitedMs() > busyPatienceMs;
      if (isLost) unresponsive = contact.owner;
      else await pause(250);
    } else if (waitedMs() < waitsUntilMs) {
      await pause(50);
    } else if (canOwn) {
      const lease = await explained(folder, takeLease(folder, claimant, signal));
      if (!('heldBy' in lease)) return own(lease, undefined);
      await pause(20);
    } else return runAlone();
  }
}

/** Turns a failure of the disk into words. */
async function explained<Result>({ path }: LeaseFolder, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OwnerError(
      'unusable',
      path,
      `${path}, where programs on this vault find each other, cannot be used (${code}). ` +
        'Make it writable for your user, or free space on its disk, and start again.',
      { cause: error },
    );
  }
}
