import { clearInterval, setInterval } from 'node:timers';
import type { CountedSession, EarlierHost, Host, SessionControl } from '@errand/host';
import type { AttachedHost } from './attached-host.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import type { OwnedVault } from './owned-vault.ts';
import { watchOwner } from './watch-owner.ts';

/** What serves a program: a host of its own for all, the host of another program, or one for itself alone. */
export type Engine =
  | OwnedVault
  | { readonly kind: 'attached'; readonly host: AttachedHost }
  | { readonly kind: 'private'; readonly host: Host };

/** An engine that does not work any more, and what the next one takes over from it. */
export interface Former {
  readonly engine: Engine;
  readonly earlier: EarlierHost;
  /** The sessions of this program. */
  readonly sessions: ReadonlyMap<string, CountedSession>;
}

/** Why an engine is replaced. */
export interface Change {
  /** An owner that does not answer any more. */
  readonly deposed?: OwnerInfo;
  /** Whether another program is known to take the place of the owner. */
  readonly isHandedOver?: boolean;
  /** Resolves when the engine may be ended. */
  readonly isReady?: Promise<unknown>;
}

/** The sessions as this program uses them. */
export function sessionsOf(engine: Engine): SessionControl {
  return engine.kind === 'own' ? engine.sessions : engine.host.sessions;
}

export async function endEngine(engine: Engine): Promise<void> {
  if (engine.kind === 'attached') await engine.host.close();
  else if (engine.kind === 'own') await engine[Symbol.asyncDispose]();
  else await engine.host[Symbol.asyncDispose]();
}

/** Calls `lose` when the owner, or the lease of this program, is not there any more. */
export function watchEngine(engine: Engine, lose: (change?: Change) => void): Disposable {
  if (engine.kind === 'private') return { [Symbol.dispose]: () => undefined };
  if (engine.kind === 'attached') {
    const stopped = new AbortController();
    void engine.host.closed.then(() => lose());
    void watchOwner(engine.host, stopped.signal).then((deposed) => deposed && lose({ deposed }));
    return { [Symbol.dispose]: () => stopped.abort() };
  }
  const timer = setInterval(() => {
    if (!engine.isHeld()) lose({ isHandedOver: true });
  }, leaseCheckMs);
  timer.unref?.();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const leaseCheckMs = 1_000;
