import { findToolBlocks, scan, type ToolBlock } from '@errand/document';
import {
  type BlockEvent,
  type NoteSessions,
  type RunNotePorts,
  runNote,
  sessionOfNote,
} from '@errand/host';
import type {
  BlockEnd,
  BlockRun,
  Failure,
  RunNote,
  RunStarted,
  WorkbenchEvent,
} from '../../contract.ts';
import type { CallDesk } from '../calls/call-desk.ts';
import { Calm } from '../events/calm.ts';
import { asFailure } from '../http/answer-failure.ts';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { blockKeys } from './block-keys.ts';

export interface NoteRunsPorts
  extends Pick<WorkbenchPorts, 'host' | 'notes' | 'attachments' | 'log'> {
  readonly calls: CallDesk;
  readonly sessions: NoteSessions;
  readonly feed: (event: WorkbenchEvent) => void;
  /** Told when a result was written. */
  readonly onWritten: (path: string) => void;
}

/** The blocks that run, by note. */
export class NoteRuns implements AsyncDisposable {
  readonly #ports: NoteRunsPorts;
  readonly #running = new Map<string, Map<string, RunningBlock>>();
  readonly #runs = new Set<Promise<void>>();
  readonly #calm = new Calm();

  constructor(ports: NoteRunsPorts) {
    this.#ports = ports;
  }

  /** How a block is on its way; nothing when it is not. */
  runOf(path: string, key: string): BlockRun | null {
    return this.#running.get(path)?.get(key)?.run ?? null;
  }

  /** Begins to run blocks of a note; a block that runs already is not run twice. */
  async start(path: string, wish: RunNote, signal: AbortSignal): Promise<RunStarted> {
    const { host, notes } = this.#ports;
    const text = await notes.read(path, signal);
    const context = host.servers.noteContext(path);
    const chosen = this.#choose(path, findToolBlocks(scan(text), context), wish);
    const runId = crypto.randomUUID();
    const keys = [...chosen.values()];
    const running = this.#running.get(path) ?? new Map<string, RunningBlock>();
    const limit = this.#ports.sessions.limitFor(sessionOfNote(path), keys.length, running.size);
    this.#running.set(path, running);
    for (const key of keys) running.set(key, new RunningBlock());
    this.#ports.feed({ kind: 'run-started', path, runId, keys });
    const run = this.#run({ path, runId, text, chosen, force: wish.force ?? false, limit });
    const tracked = run.finally(() => this.#runs.delete(tracked));
    this.#runs.add(tracked);
    return { runId, keys };
  }

  /** Ends blocks of a note that wait or run; without keys, all. */
  cancel(path: string, keys: readonly string[] | undefined): void {
    const running = this.#running.get(path) ?? new Map<string, RunningBlock>();
    for (const key of keys ?? running.keys()) running.get(key)?.ending.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#running.keys()) this.cancel(path, undefined);
    await Promise.all(this.#runs);
    this.#calm[Symbol.dispose]();
  }

  /** The blocks that were asked for and do not run yet, each line with its key. */
  #choose(path: string, blocks: readonly ToolBlock[], wish: RunNote): ReadonlyMap<number, string> {
    const keys = blockKeys(blocks);
    const missing = wish.keys?.find((key) => !keys.includes(key));
    if (missing !== undefined) {
      throw new ApiError('conflict', 'The note was changed and no longer holds this block.');
    }
    const isWanted = ({ state }: ToolBlock, key: string) =>
      (wish.keys?.includes(key) ?? true) &&
      (wish.stale !== true || state !== 'fresh') &&
      !this.#running.get(path)?.has(key);
    return new Map(
      blocks.flatMap((block, index) => {
        const key = keys[index] ?? '';
        return isWanted(block, key) ? [[block.line, key] as const] : [];
      }),
    );
  }

  async #run({ path, runId, text, chosen, force, limit }: StartedRun): Promise<void> {
    const { feed, notes } = this.#ports;
    const results: BlockEnd[] = [];
    const end = (error: Failure | null) => {
      for (const key of chosen.values()) this.#forget(path, key);
      feed({ kind: 'run-ended', path, runId, results, error });
    };
    const choice = { blocks: [...chosen.keys()].map(String) };
    const request = { path, sessionId: sessionOfNote(path), choice, force };
    try {
      await runNote(
        { ...request, ...(limit !== undefined && { limit }) },
        // The text that the keys were found in, so that no other block is run in their place.
        { ...this.#callPorts(path, chosen), notes: { ...notes, read: async () => text } },
        {
          onEvent: (event) => {
            const ended = this.#follow(path, chosen.get(event.block.line) ?? '', event);
            if (ended !== undefined) results.push(ended);
          },
        },
      );
      end(null);
    } catch (error) {
      end(asFailure(error));
    }
  }

  /** What a run works with; each block's call can be ended alone. */
  #callPorts(path: string, chosen: ReadonlyMap<number, string>): Omit<RunNotePorts, 'notes'> {
    const { host, attachments, log, calls } = this.#ports;
    const { servers, sessions } = host;
    const execute: RunNotePorts['host']['execute'] = async (request, options) => {
      const key = chosen.get(request.sectionLine ?? 0) ?? '';
      const ending = this.#running.get(path)?.get(key)?.ending;
      if (ending === undefined) return host.execute(request, options);
      calls.own(request.id, () => ending.abort());
      try {
        return await host.execute(request, { ...options, signal: ending.signal });
      } finally {
        calls.disown(request.id);
      }
    };
    return { host: { execute, servers, sessions }, attachments, log };
  }

  #follow(path: string, key: string, event: BlockEvent): BlockEnd | undefined {
    const { feed, onWritten } = this.#ports;
    const block = this.#running.get(path)?.get(key);
    const told = `${path}\n${key}`;
    if (event.kind === 'ended') {
      const { line, status, durationMs, attempts, written, error } = event.run;
      const end: BlockEnd = { key, line, status, durationMs, attempts, written, error };
      this.#forget(path, key);
      this.#calm.drop(told);
      feed({ kind: 'block-changed', path, key, run: null, end });
      if (written) onWritten(path);
      return end;
    }
    if (block === undefined || !block.follow(event)) return undefined;
    const show = () => {
      const run = this.runOf(path, key);
      if (run !== null) feed({ kind: 'block-changed', path, key, run, end: null });
    };
    if (event.kind === 'progress') this.#calm.tell(told, show);
    else show();
    return undefined;
  }

  #forget(path: string, key: string): void {
    const running = this.#running.get(path);
    running?.delete(key);
    if (running?.size === 0) this.#running.delete(path);
  }
}

interface StartedRun {
  readonly path: string;
  readonly runId: string;
  readonly text: string;
  readonly chosen: ReadonlyMap<number, string>;
  readonly force: boolean;
  readonly limit: number | undefined;
}

/** A block on its way, and how it is ended. */
class RunningBlock {
  readonly ending = new AbortController();
  run: BlockRun = {
    status: 'pending',
    waitingFor: null,
    since: Date.now(),
    startedAt: null,
    progress: null,
  };

  /** Whether there is something new to show. */
  follow(event: Exclude<BlockEvent, { readonly kind: 'ended' }>): boolean {
    if (event.kind === 'progress') {
      this.run = { ...this.run, progress: event.progress };
      return true;
    }
    const { status, waitingFor = null } = event.state;
    if (status !== 'pending' && status !== 'executing') return false;
    const startedAt = status === 'executing' ? (this.run.startedAt ?? Date.now()) : null;
    this.run = { ...this.run, status, waitingFor, startedAt };
    return true;
  }
}
