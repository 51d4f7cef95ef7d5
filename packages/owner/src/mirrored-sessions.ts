import type { CountedSession, SessionControl, SessionUsage } from '@errand/host';
import type { OwnerPeer } from './mirrored-servers.ts';

export interface SessionMirrorPorts {
  readonly defaultLimit: () => number;
  readonly onChange: (sessionId: string) => void;
}

/** The sessions that the vault's owner counts, as last heard. What is changed here shows at once. */
export class MirroredSessions implements SessionControl {
  readonly #peer: OwnerPeer;
  readonly #ports: SessionMirrorPorts;
  readonly #usage: Map<string, SessionUsage>;

  constructor(
    peer: OwnerPeer,
    usage: Iterable<readonly [id: string, usage: SessionUsage]>,
    ports: SessionMirrorPorts,
  ) {
    this.#peer = peer;
    this.#ports = ports;
    this.#usage = new Map(usage);
  }

  usage(sessionId: string): SessionUsage {
    return this.#usage.get(sessionId) ?? { executed: 0, limit: this.#ports.defaultLimit() };
  }

  used(): ReadonlyMap<string, SessionUsage> {
    return new Map([...this.#usage].filter(([, { executed }]) => executed > 0));
  }

  setLimit(sessionId: string, limit: number): void {
    this.#peer.notify('limit-session', { sessionId, limit });
    this.follow(sessionId, { ...this.usage(sessionId), limit });
  }

  suppressWarning(sessionId: string): void {
    this.#peer.notify('quiet-session', { sessionId });
  }

  reset(sessionId: string): void {
    this.#peer.notify('reset-session', { sessionId });
    this.follow(sessionId, { ...this.usage(sessionId), executed: 0 });
  }

  close(sessionId: string): void {
    this.#peer.notify('close-session', { sessionId });
    if (this.#usage.delete(sessionId)) this.#ports.onChange(sessionId);
  }

  rename(sessionId: string, to: string): void {
    const usage = this.#usage.get(sessionId);
    this.#peer.notify('rename-session', { sessionId, to });
    if (usage === undefined) return;
    this.#usage.delete(sessionId);
    this.#ports.onChange(sessionId);
    this.follow(to, usage);
  }

  restore(counted: ReadonlyMap<string, CountedSession>): void {
    this.#peer.notify('restore-sessions', { sessions: [...counted] });
  }

  follow(sessionId: string, usage: SessionUsage): void {
    const isUnused = usage.executed === 0 && usage.limit === this.#ports.defaultLimit();
    if (isUnused) this.#usage.delete(sessionId);
    else this.#usage.set(sessionId, usage);
    this.#ports.onChange(sessionId);
  }
}
