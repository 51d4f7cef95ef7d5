import type { Host } from '../create-host.ts';

/** How many calls a session has made, and may make. */
export interface SessionUse {
  readonly id: string;
  /** The note whose session it is; null for another. */
  readonly note: string | null;
  readonly executed: number;
  /** -1 is unlimited. */
  readonly limit: number;
  /** `near` from 80 % on. */
  readonly level: 'ok' | 'near' | 'reached';
}

export interface NoteSessionsPorts {
  /** Sessions of the face's own, beside those of notes. */
  readonly others?: readonly string[];
  readonly onChange: (use: SessionUse) => void;
  /** Told once when most of a session's calls are used. */
  readonly onNear: (use: SessionUse) => void;
}

const nearAt = 0.8;
const prefix = 'note:';

/** The session of a note (D6). */
export function sessionOfNote(path: string): string {
  return prefix + path;
}

/** How many calls the notes of a vault have made, and may make. */
export class NoteSessions {
  readonly #host: Pick<Host, 'sessions' | 'servers'>;
  readonly #ports: NoteSessionsPorts;
  /** Those that made a call, with the level last told. */
  readonly #used = new Map<string, SessionUse['level']>();

  constructor(host: Pick<Host, 'sessions' | 'servers'>, ports: NoteSessionsPorts) {
    this.#host = host;
    this.#ports = ports;
  }

  /** Those that made a call. */
  list(): readonly SessionUse[] {
    return [...this.#used.keys()].map((id) => this.describe(id));
  }

  describe(id: string): SessionUse {
    const { executed, limit } = this.#host.sessions.usage(id);
    const isLimited = limit !== -1 && Number.isFinite(limit);
    return {
      id,
      note: id.startsWith(prefix) ? id.slice(prefix.length) : null,
      executed,
      limit: isLimited ? limit : -1,
      level: !isLimited || executed < limit * nearAt ? 'ok' : executed < limit ? 'near' : 'reached',
    };
  }

  /** Whether a session is a note's, or one of the face's own. */
  owns(id: string): boolean {
    return id.startsWith(prefix) || (this.#ports.others?.includes(id) ?? false);
  }

  /** To be called when a call of a session began. */
  count(id: string): void {
    if (!this.owns(id)) return;
    const before = this.#used.get(id) ?? 'ok';
    const use = this.#tell(id);
    if (before === 'ok' && use.level !== 'ok') this.#ports.onNear(use);
  }

  /** Counts from zero again. */
  reset(id: string): SessionUse {
    this.#host.sessions.reset(id);
    return this.#tell(id);
  }

  /** A note has another name; its session goes on. */
  rename(id: string, to: string): void {
    this.#host.sessions.rename(id, to);
    const level = this.#used.get(id);
    if (level === undefined) return;
    this.#used.delete(id);
    this.#used.set(to, level);
    this.#ports.onChange(this.describe(to));
  }

  /** Forgets a session: its note was closed. */
  close(id: string): void {
    this.#host.sessions.close(id);
    if (this.#used.delete(id)) this.#ports.onChange(this.describe(id));
  }

  /**
   * The limit for a run of so many blocks. A person who runs several has seen how many there are, so
   * all of them may run (D19); what still runs of earlier runs keeps its room.
   */
  limitFor(id: string, blocks: number, stillRunning: number): number | undefined {
    const { mcpSessionLimit } = this.#host.servers.settings;
    if (mcpSessionLimit === -1) return undefined;
    const { executed, limit } = this.#host.sessions.usage(id);
    const room = blocks > 1 ? executed + stillRunning + blocks : 0;
    return Math.max(mcpSessionLimit, room, stillRunning > 0 ? limit : 0);
  }

  /** To be called when the limit in the settings may be another. */
  tellAll(): void {
    for (const id of this.#used.keys()) this.#tell(id);
  }

  #tell(id: string): SessionUse {
    const use = this.describe(id);
    this.#used.set(id, use.level);
    this.#ports.onChange(use);
    return use;
  }
}
