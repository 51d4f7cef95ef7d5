import { setTimeout as sleep } from 'node:timers/promises';
import { raceSignal } from '@errand/wire';
import { connectToOwner } from './lease/connect-to-owner.ts';
import type { LeaseFolder } from './lease/lease-folder.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import { type OwnerMethods, type OwnerStatus, protocol, type ServiceRequest } from './protocol.ts';
import { PeerGone, RpcPeer } from './rpc-peer.ts';

export type OwnerVisit =
  | { readonly status: 'nobody' }
  /** The owner does not answer, or only in a version that this program does not understand. */
  | { readonly status: 'silent' | 'other-version'; readonly owner: OwnerInfo }
  | {
      readonly status: 'answered';
      readonly report: OwnerStatus;
      /** What a service answered, where one was asked. */
      readonly value?: unknown;
    };

export interface VisitOptions {
  /** What to do before the report is made. */
  readonly order?: 'stop' | 'resume';
  /** Asks a service before the report is made. */
  readonly request?: ServiceRequest;
  readonly signal: AbortSignal;
  /** Milliseconds that the owner has to answer. */
  readonly patience?: number;
}

/** How long a successor is waited for when an owner leaves while it is asked, and how often it is looked for. */
const changeMs = 2_000;
const lookMs = 50;

/**
 * Asks the owner of a vault how things are, without taking part in the vault. Starts nothing, and never owns it.
 * An order also reaches the program that takes the place of an owner that leaves; a request is made once.
 */
export async function visitOwner(folder: LeaseFolder, options: VisitOptions): Promise<OwnerVisit> {
  const first = await visitOnce(folder, options);
  if (first !== 'left') return first;
  const nobody = { status: 'nobody' } as const;
  if (options.request !== undefined) return nobody;
  const until = performance.now() + Math.min(changeMs, options.patience ?? changeMs);
  while (performance.now() < until) {
    await sleep(lookMs, undefined, { signal: options.signal });
    const visit = await visitOnce(folder, options);
    if (visit !== 'left' && visit.status !== 'nobody') return visit;
  }
  return nobody;
}

async function visitOnce(
  folder: LeaseFolder,
  { order, request, signal, patience = 5_000 }: VisitOptions,
): Promise<OwnerVisit | 'left'> {
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
    const asking = async () => {
      if (order !== undefined) await peer.request(order, {});
      const answer = request && (await peer.request('service', request));
      return { status: 'answered', report: await peer.request('status', {}), ...answer } as const;
    };
    return await raceSignal(asking(), AbortSignal.any([signal, late]));
  } catch (error) {
    if (error instanceof PeerGone) return 'left';
    if (late.aborted && !signal.aborted) return { status: 'silent', owner };
    throw error;
  } finally {
    peer.close();
  }
}
