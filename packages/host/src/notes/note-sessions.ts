import type { Host } from '../create-host.ts';

/** How many calls a session has made, and may make. */
export interface SessionUse {
  readonly id: string;
  /** The note whose session it is, or that its conversation belongs to; null for another. */
  readonly note: string | null;
  /** The first question of the conversation whose session it is; null for other sessions. */
  readonly conversation: string | null;
  readonly executed: number;
  /** -1 is unlimited. */
  readonly limit: number;
  /** `near` from 80 % on. */
  readonly level: 'ok' | 'near' | 'reached';
}

interface NoteSessionsPorts {
  /** Sessions of the face's own, beside those of notes. */
  readonly others?: readonly string[];
  readonly onChange: (use: SessionUse) => void;
  /** Called once when a session has used most of its calls. */
  readonly onNear: (use: SessionUse) => void;
}

/** A conversation with an assistant. */
export interface ConversationRef {
  /** The note it belongs to, if any. */
  readonly note: string | null;
  /** Distinguishes it from other conversations of that note, or from others without a note. */
  readonly key: string;
  /** Its first question, for display. */
  readonly opening: string;
}

const nearAt = 0.8;
const prefix = 'note:';

/** The session of a note (D6). */
export function sessionOfNote(path: string): string {
  return prefix + path;
}

/** How many calls the notes of a vault, and the conversations with assistants, have made and may make. */
export class NoteSessions {
  readonly #host: Pick<Host, 'sessions' | 'servers'>;
  readonly #ports: NoteSessionsPorts;
  /** The level last reported of each session that made a call. */
  readonly #used = new Map<string, SessionUse['level']>();
  readonly #conversations = new Map<string, ConversationRef>();

  constructor(host: Pick<Host, 'sessions' | 'servers'>, ports: NoteSessionsPorts) {
    this.#host = host;
    this.#ports = ports;
    for (const id of ports.others ?? []) host.sessions.suppressWarning(id);
    for (const id of host.sessions.used().keys()) {
      if (this.owns(id)) this.#used.set(id, this.describe(id).level);
    }
  }

  /** The session of a conversation (D6): the same in all its turns, and under any name of its note. */
  ofConversation(conversation: ConversationRef): string {
    const known = this.#idOf(conversation);
    if (known !== undefined) return known;
    const id = crypto.randomUUID();
    this.#conversations.set(id, conversation);
    this.#host.sessions.suppressWarning(id);
    return id;
  }

  /** Closes a conversation that cannot be continued. */
  closeConversation(conversation: Pick<ConversationRef, 'note' | 'key'>): void {
    const id = this.#idOf(conversation);
    if (id !== undefined) this.close(id);
  }

  /** Those that made a call. */
  list(): readonly SessionUse[] {
    return [...this.#used.keys()].map((id) => this.describe(id));
  }

  describe(id: string): SessionUse {
    const { executed, limit } = this.#host.sessions.usage(id);
    const conversation = this.#conversations.get(id);
    const ofNote = id.startsWith(prefix) ? id.slice(prefix.length) : null;
    const isLimited = limit !== -1 && Number.isFinite(limit);
    return {
      id,
      note: conversation?.note ?? ofNote,
      conversation: conversation?.opening ?? null,
      executed,
      limit: isLimited ? limit : -1,
      level: !isLimited || executed < limit * nearAt ? 'ok' : executed < limit ? 'near' : 'reached',
    };
  }

  /** Whether a session is a note's or a conversation's, or one of the face's own. */
  owns(id: string): boolean {
    return (
      id.startsWith(prefix) ||
      this.#conversations.has(id) ||
      (this.#ports.others?.includes(id) ?? false)
    );
  }

  /** To be called when the usage of a session changed. */
  follow(id: string): void {
    if (!this.owns(id)) return;
    const before = this.#used.get(id);
    if (before === undefined && this.#host.sessions.usage(id).executed === 0) return;
    const use = this.#report(id);
    if ((before ?? 'ok') === 'ok' && use.level !== 'ok') this.#ports.onNear(use);
  }

  /** Counts from zero again. */
  reset(id: string): SessionUse {
    this.#host.sessions.reset(id);
    return this.describe(id);
  }

  /** Forgets a session: its note was closed. */
  close(id: string): void {
    const wasUsed = this.#used.delete(id);
    this.#host.sessions.close(id);
    if (wasUsed) this.#ports.onChange(this.describe(id));
    this.#conversations.delete(id);
  }

  /** Forgets a note that was deleted, and the conversations in it. */
  closeNote(path: string): void {
    this.close(sessionOfNote(path));
    for (const [id, { note }] of this.#conversations) if (note === path) this.close(id);
  }

  /** Goes on counting for a note that got another name, and for the conversations in it. */
  renameNote(path: string, to: string): void {
    const [from, renamed] = [sessionOfNote(path), sessionOfNote(to)];
    this.#used.delete(from);
    this.#host.sessions.rename(from, renamed);
    for (const [id, conversation] of this.#conversations) {
      if (conversation.note !== path) continue;
      this.#conversations.set(id, { ...conversation, note: to });
      if (this.#used.has(id)) this.#report(id);
    }
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
  refresh(): void {
    for (const id of this.#used.keys()) this.#report(id);
  }

  #idOf({ note, key }: Pick<ConversationRef, 'note' | 'key'>): string | undefined {
    const found = [...this.#conversations].find(
      ([, conversation]) => conversation.note === note && conversation.key === key,
    );
    return found?.[0];
  }

  #report(id: string): SessionUse {
    const use = this.describe(id);
    this.#used.set(id, use.level);
    this.#ports.onChange(use);
    return use;
  }
}
