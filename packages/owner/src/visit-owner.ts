import { raceSignal } from '@errand/wire';
import { connectToOwner } from './lease/connect-to-owner.ts';
import type { LeaseFolder } from './lease/lease-folder.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import { type OwnerMethods, type OwnerStatus, protocol } from './protocol.ts';
import { PeerGone, RpcPeer } from './rpc-peer.ts';

export type OwnerVisit =
  | { readonly status: 'nobody' }
  /** The owner does not answer, or only in a version that this program does not understand. */
  | { readonly status: 'silent' | 'other-version'; readonly owner: OwnerInfo }
  | { readonly status: 'answered'; readonly report: OwnerStatus };

export interface VisitOptions {
  /** What to do before the report is made. */
  readonly order?: 'stop' | 'resume';
  readonly signal: AbortSignal;
  /** Milliseconds that the owner has to answer. */
  readonly patience?: number;
}

/** Asks the owner of a vault how things are, without taking part in the vault. Starts nothing, and never owns it. */
export async function visitOwner(
  folder: LeaseFolder,
  { order, signal, patience = 5_000 }: VisitOptions,
): Promise<OwnerVisit> {
  const contact = await connectToOwner(folder, { signal });
  if (contact.status !== 'connected') return contact;
  const { socket, owner } = contact;
  if (owner.protocol !== protocol) {
    socket.destroy();
    return { status: 'other-version', owner };
  }
  // The owner has nothing to ask of a visitor.
  const peer = new RpcPeer<OwnerMethods, object>(socket, {});
  const late = AbortSignal.timeout(patience);
  try {
    const asking = order === undefined ? Promise.resolve() : peer.request(order, {});
    const report = asking.then(() => peer.request('status', {}));
    return {
      status: 'answered',
      report: await raceSignal(report, AbortSignal.any([signal, late])),
    };
  } catch (error) {
    if (error instanceof PeerGone) return { status: 'nobody' };
    if (late.aborted && !signal.aborted) return { status: 'silent', owner };
    throw error;
  } finally {
    peer.close();
  }
}
