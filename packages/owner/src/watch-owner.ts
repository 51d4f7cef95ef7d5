import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, pidSpace } from '@errand/files/processes';
import type { OwnerInfo } from './lease/owner-info.ts';

const heartbeatMs = 500;

/** How long an owner that is not stopped may be busy before it is deposed. */
export const busyPatienceMs = 10_000;

/** Resolves with an owner that must be deposed: its process is stopped, or has been busy for too long. */
export async function watchOwner(
  host: { readonly owner: OwnerInfo; ping(): Promise<unknown> },
  signal: AbortSignal,
): Promise<OwnerInfo | undefined> {
  const wait = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal, ref: false }).then(
      () => true,
      () => false,
    );
  while (await wait(heartbeatMs)) {
    let hasAnswered = false;
    void host.ping().then(
      () => {
        hasAnswered = true;
      },
      () => undefined,
    );
    for (let waitedMs = 0; !hasAnswered; waitedMs += heartbeatMs) {
      if (!(await wait(heartbeatMs))) return undefined;
      if (hasAnswered) break;
      if (waitedMs >= busyPatienceMs || (await isStopped(host.owner))) return host.owner;
    }
  }
  return undefined;
}

/** Whether an owner's process is stopped, or is not there any more; false where it cannot be looked up from here. */
export async function isStopped({
  pid,
  startedAt,
  space,
}: Pick<OwnerInfo, 'pid' | 'startedAt' | 'space'>): Promise<boolean> {
  if (space !== pidSpace()) return false;
  const found = await findProcess(pid);
  return found?.startedAt !== startedAt || found.isStopped;
}
