import {
  type BlockEvent,
  type BlockOutcome,
  Listeners,
  type NoteSessions,
  type NoteStore,
  type OnFault,
  type RunNotePorts,
  runNote,
  sessionOfNote,
} from '@errand/host';
import { Throttle } from '../events/throttle.ts';
import { ActiveBlock } from './active-block.ts';
import type { KeyedBlock } from './key-blocks.ts';
import type { NoteRunEvent, RunningBlock } from './note-run-event.ts';
import { renamedPath } from './renamed-path.ts';

/** Blocks whose last outcome is remembered; the oldest give way. */
const mostOutcomes = 2_000;

interface NoteRunsPorts extends Omit<RunNotePorts, 'notes'> {
  readonly sessions: Pick<NoteSessions, 'limitFor'>;
  /** Told when a listener throws. */
  readonly onFault: OnFault;
}

/** Blocks of one note to run, with the text they were found in. */
interface RunRequest {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly KeyedBlock[];
  /** Replaces results that were edited by hand. */
  readonly force: boolean;
  /** Also runs finished blocks whose tool may act a second time; a block that is run by itself always runs. */
  readonly again: boolean;
}

interface StartedRun {
  readonly id: string;
  /** The blocks that this run calls; those that were running already are not among them. */
  readonly keys: readonly string[];
  /** The outcome of each block that was asked for, in their order. */
  readonly outcomes: readonly Promise<BlockOutcome>[];
}

/**
 * The blocks that run, by note and key, and how each ended last. A block that runs already is joined and
 * never called twice. Disposing it cancels all blocks and waits for their ends.
 */
export class NoteRuns implements AsyncDisposable {
  readonly #ports: NoteRunsPorts;
  readonly #running = new Map<string, ActiveBlock>();
  readonly #outcomes = new Map<string, BlockOutcome>();
  readonly #runs = new Set<Promise<void>>();
  readonly #listeners: Listeners<NoteRunEvent>;
  readonly #throttle: Throttle;

  constructor(ports: NoteRunsPorts) {
    this.#ports = ports;
    this.#listeners = new Listeners(ports.onFault);
    this.#throttle = new Throttle(ports.onFault);
  }

  /** How a block waits or runs; nothing when it does neither. */
  runningBlock(path: string, key: string): RunningBlock | undefined {
    return this.#running.get(idOf(path, key))?.run;
  }

  /** The block that made a call, and whether its run has other blocks. */
  runOfCall(requestId: string): { readonly isOneOfMany: boolean } | undefined {
    return [...this.#running.values()].find((block) => block.requestId === requestId);
  }

  /** How many blocks wait or run, of one note or of all. */
  count(path?: string): number {
    return path === undefined ? this.#running.size : this.#of(path).length;
  }

  /** How the last run of a block ended. */
  lastOutcome(path: string, key: string): BlockOutcome | undefined {
    return this.#outcomes.get(idOf(path, key));
  }

  /** The limit of calls that the note's session gets when so many more blocks are run; nothing when unlimited. */
  limitFor(path: string, blocks: number): number | undefined {
    return this.#ports.sessions.limitFor(sessionOfNote(path), blocks, this.count(path));
  }

  /** Calls back at every change; progress of the same block at most ten times a second. */
  subscribe(listener: (event: NoteRunEvent) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** Runs blocks of a note in their order: a block that may change something waits for those above it. */
  start({ path, text, blocks, force, again }: RunRequest, notes: NoteStore): StartedRun {
    const id = crypto.randomUUID();
    const wanted = new Map(blocks.map(({ key, block }) => [key, block]));
    const fresh = [...wanted].filter(([key]) => !this.#running.has(idOf(path, key)));
    const limit = this.limitFor(path, fresh.length);
    const isOneOfMany = wanted.size > 1;
    const byLine = new Map<number, ActiveBlock>();
    for (const [key, { line }] of fresh) {
      const active = new ActiveBlock(path, key, isOneOfMany);
      this.#running.set(idOf(path, key), active);
      this.#outcomes.delete(idOf(path, key));
      byLine.set(line, active);
    }
    const keys = fresh.map(([key]) => key);
    const outcomes = blocks.flatMap(
      ({ key }) => this.#running.get(idOf(path, key))?.outcome.promise ?? [],
    );
    this.#listeners.emit({ kind: 'run-started', path, runId: id, keys });
    const run = this.#run({ path, text, force, again, limit, id, byLine, notes });
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
    return { id, keys, outcomes };
  }

  /** Cancels waiting and running blocks of a note, all of them without keys, and notifies their servers. */
  cancel(path: string, keys?: readonly string[]): void {
    for (const { key, controller } of this.#of(path)) {
      if (keys === undefined || keys.includes(key)) controller.abort();
    }
  }

  /** Follows a note, or all notes of a folder, to another path; what runs in them goes on. */
  rename(from: string, to: string): void {
    for (const [id, active] of [...this.#running]) {
      const path = renamedPath(active.path, from, to);
      if (path === undefined) continue;
      this.#running.delete(id);
      active.path = path;
      this.#running.set(idOf(path, active.key), active);
    }
    for (const [id, outcome] of [...this.#outcomes]) {
      const path = pathOf(id);
      const renamed = renamedPath(path, from, to);
      if (renamed === undefined) continue;
      this.#outcomes.delete(id);
      this.#outcomes.set(renamed + id.slice(path.length), outcome);
    }
  }

  /** Forgets how blocks of a note ended; what still runs goes on. */
  forget(path: string): void {
    for (const id of this.#outcomes.keys()) if (pathOf(id) === path) this.#outcomes.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { controller } of this.#running.values()) controller.abort();
    await Promise.all(this.#runs);
    this.#throttle[Symbol.dispose]();
  }

  #of(path: string): readonly ActiveBlock[] {
    return [...this.#running.values()].filter((block) => block.path === path);
  }

  async #run({ path, text, force, again, limit, id, byLine, notes }: Run): Promise<void> {
    const outcomes = new Map<string, BlockOutcome>();
    let failure: unknown = null;
    try {
      if (byLine.size > 0) {
        await runNote(
          {
            path,
            text,
            sessionId: sessionOfNote(path),
            choice: { blocks: [...byLine.keys()].map(String) },
            force,
            again,
            ...(limit !== undefined && { limit }),
          },
          { ...this.#ports, notes },
          {
            signalOf: ({ line }) => byLine.get(line)?.controller.signal,
            onEvent: (event) => {
              const active = byLine.get(event.block.line);
              if (active === undefined) return;
              if (event.kind === 'ended') outcomes.set(active.key, event.outcome);
              this.#follow(active, event);
            },
          },
        );
      }
    } catch (error) {
      failure = error;
      for (const active of byLine.values()) {
        if (!outcomes.has(active.key)) this.#leave(active, null);
        active.outcome.reject(error);
      }
    }
    const now = [...byLine.values()][0]?.path ?? path;
    this.#listeners.emit({ kind: 'run-ended', path: now, runId: id, outcomes, error: failure });
  }

  #follow(active: ActiveBlock, event: BlockEvent): void {
    switch (event.kind) {
      case 'called':
        active.requestId = event.requestId;
        return;
      case 'progress':
        active.run = { ...active.run, progress: event.progress };
        this.#throttle.run(active.id, () => this.#tell(active));
        return;
      case 'state':
        if (active.enter(event.state)) this.#tell(active);
        return;
      case 'ended':
        this.#remember(active, event.outcome);
        this.#leave(active, event.outcome);
        active.outcome.resolve(event.outcome);
    }
  }

  #tell({ path, key, run }: ActiveBlock): void {
    this.#listeners.emit({ kind: 'block-changed', path, key, run, outcome: null });
  }

  #leave(active: ActiveBlock, outcome: BlockOutcome | null): void {
    const { path, key } = active;
    this.#throttle.drop(active.id);
    this.#running.delete(idOf(path, key));
    this.#listeners.emit({ kind: 'block-changed', path, key, run: null, outcome });
  }

  #remember({ path, key }: ActiveBlock, outcome: BlockOutcome): void {
    this.#outcomes.set(idOf(path, key), outcome);
    const [oldest] = this.#outcomes.keys();
    if (this.#outcomes.size > mostOutcomes && oldest !== undefined) this.#outcomes.delete(oldest);
  }
}

interface Run extends Omit<RunRequest, 'blocks'> {
  readonly id: string;
  readonly limit: number | undefined;
  readonly byLine: ReadonlyMap<number, ActiveBlock>;
  readonly notes: NoteStore;
}

function idOf(path: string, key: string): string {
  return `${path}\n${key}`;
}

function pathOf(id: string): string {
  return id.slice(0, id.indexOf('\n'));
}
