import type { Host } from '@errand/host';
import type { Session, WorkbenchEvent } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';

/** What tools that are tried in Servers count against. */
export const triedTools = 'workbench';
const nearAt = 0.8;

/** The session of a note: it counts from the note's first run here, or its last reset (D6). */
export function sessionOf(note: string): string {
  return `note:${note}`;
}

/** How many calls the notes and this workbench have made, and may make. */
export class NoteSessions {
  readonly #host: Pick<Host, 'sessions' | 'servers'>;
  readonly #feed: (event: WorkbenchEvent) => void;
  /** Those that made a call, with the level last told. */
  readonly #used = new Map<string, Session['level']>();

  constructor(host: Pick<Host, 'sessions' | 'servers'>, feed: (event: WorkbenchEvent) => void) {
    this.#host = host;
    this.#feed = feed;
  }

  list(): readonly Session[] {
    return [...this.#used.keys()].map((id) => this.describe(id));
  }

  describe(id: string): Session {
    const { executed, limit } = this.#host.sessions.usage(id);
    const isLimited = limit !== -1 && Number.isFinite(limit);
    return {
      id,
      note: id === triedTools ? null : id.slice(sessionOf('').length),
      executed,
      limit: isLimited ? limit : -1,
      level: !isLimited || executed < limit * nearAt ? 'ok' : executed < limit ? 'near' : 'reached',
    };
  }

  /** To be called when a call of the session began. */
  count(id: string): void {
    if (!isOurs(id)) return;
    const before = this.#used.get(id) ?? 'ok';
    const session = this.#tell(id);
    if (before !== 'ok' || session.level === 'ok') return;
    const { executed, limit, note } = session;
    this.#feed({
      kind: 'notice',
      notice: {
        level: 'warning',
        message: `${executed} of ${limit} calls of ${note ?? 'this session'} are used`,
        detail: 'Reset the session in Calls, or raise its limit in Settings, to make more.',
        server: null,
      },
    });
  }

  reset(id: string): Session {
    if (!isOurs(id)) throw new ApiError('not_found', 'There is no such session.');
    this.#host.sessions.reset(id);
    return this.#tell(id);
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

  /** The limit in the settings is another. */
  tellAll(): void {
    for (const id of this.#used.keys()) this.#tell(id);
  }

  #tell(id: string): Session {
    const session = this.describe(id);
    this.#used.set(id, session.level);
    this.#feed({ kind: 'session-changed', session });
    return session;
  }
}

function isOurs(id: string): boolean {
  return id === triedTools || id.startsWith(sessionOf(''));
}
