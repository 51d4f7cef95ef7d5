import { randomUUID } from 'node:crypto';
import { findNote } from './find-note.ts';
import { mailDetails, mailReasons } from './mail-details.ts';
import { concerns, idsIn, logEntry } from './mail-log.ts';
import type { MailMethods } from './mail-methods.ts';
import { readParameters } from './mail-parameters.ts';
import type { Mailroom } from './mailroom.ts';
import { MailroomError, stopped } from './mailroom-error.ts';
import { ToolFailure } from './mcp-client.ts';
import type { MailNote } from './note-head.ts';
import { PersonActions } from './person-actions.ts';

type Handlers = {
  readonly [Method in keyof MailMethods]: (
    params: MailMethods[Method]['params'],
    asked: Asked,
  ) => Promise<MailMethods[Method]['result']>;
};

/** One request of a person: its calls count together. */
interface Asked {
  readonly signal: AbortSignal;
  readonly session: string;
}

/** Answers what programs ask of the mailroom. A button moves or edits a note; what follows is the mailroom's. */
export class MailService {
  readonly #room: Mailroom;
  readonly #person: PersonActions;

  constructor(room: Mailroom) {
    this.#room = room;
    this.#person = new PersonActions(room);
  }

  /** Answers a request that came as JSON, from any program of the same user. */
  async answer(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const [name, given] = readParameters(method, params);
    const handler = this.#handlers[name] as (params: unknown, asked: Asked) => Promise<unknown>;
    try {
      return await handler(given, { signal, session: `mail:person:${randomUUID()}` });
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      const code = error.code === 'conflict' ? 'changed' : 'tool_failed';
      throw new MailroomError(code, error.message, { cause: error });
    }
  }

  readonly #handlers: Handlers = {
    board: ({ done }) => this.#room.board(done),
    show: async ({ id: wanted }) => mailDetails(await this.#find(wanted), this.#room.ports.notes),
    approve: (params, { session }) => this.#person.approve(params, session),
    reject: (params, { session }) => this.#person.reject(params, session),
    edit: (params, { session }) => this.#person.edit(params, session),
    retry: (params, { session }) => this.#person.retry(params, session),
    settle: (params, { session }) => this.#person.settle(params, session),
    why: async ({ id: wanted }) => mailReasons(await this.#find(wanted), this.#room.ports),
    log: async ({ id: wanted, limit = 50 }) => {
      const { log } = this.#room.ports;
      const ids = wanted === undefined ? undefined : idsIn(await this.#find(wanted));
      const fits = ids && ((line: Readonly<Record<string, unknown>>) => concerns(line, ids));
      const lines = await log.read({ limit, ...(fits && { fits }) });
      return { entries: lines.map(logEntry) };
    },
    begin: async ({ take }) => {
      const { clock } = this.#room.ports;
      const days = take === 'new' ? 0 : take.days;
      await this.#room.begin(clock.now() - days * 86_400_000);
      return { board: await this.#room.board() };
    },
    'take-over': async () => {
      await this.#room.takeOver();
      return { board: await this.#room.board() };
    },
    run: async ({ dryRun = false, wait = false }, { signal }) => {
      if (dryRun) return this.#room.dryRun(signal);
      const state = await this.#room.state();
      const isIdle = state === 'off' || state === 'first-start' || state === 'elsewhere';
      if (isIdle || state === 'shared') throw stopped(state);
      const round = await this.#room.run();
      if (wait) {
        await this.#room.idle(signal);
        await this.#room.settle();
        await this.#room.idle(signal);
      }
      return { round, decisions: [] };
    },
    pause: async () => {
      await this.#room.setPaused(true);
      return { board: await this.#room.board() };
    },
    resume: async () => {
      await this.#room.setPaused(false);
      return { board: await this.#room.board() };
    },
  };

  #find(wanted: string): Promise<MailNote> {
    return findNote(wanted, this.#room.ports.notes);
  }
}
