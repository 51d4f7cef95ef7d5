import type { ToolBlock } from '@errand/document';
import {
  type BlockEvent,
  type BlockRun,
  type CallState,
  HostError,
  type Progress,
  type RunNotePorts,
  runNote,
  sessionOfNote,
} from '@errand/host';
import { renamedPath } from '../renamed-path.ts';
import type { KeyedBlock } from './note-blocks.ts';

/** How a request is on its way. */
export interface RunningBlock {
  readonly since: number;
  readonly state: CallState;
  readonly progress: Progress | undefined;
}

/** A request to run: the note it stands in, as it is now. */
export interface BlockToRun {
  readonly path: string;
  readonly key: string;
  readonly block: ToolBlock;
  readonly text: string;
  /** Replaces a result that was edited by hand. */
  readonly force: boolean;
  /** Calls that the note may have made after this run; without it, those of the settings. */
  readonly limit?: number | undefined;
}

/** Several requests of one note. */
export interface BlocksToRun extends Omit<BlockToRun, 'key' | 'block'> {
  readonly blocks: readonly KeyedBlock[];
}

/** What runs, and how what ran last ended. */
export class BlockRuns implements AsyncDisposable {
  readonly #ports: Omit<RunNotePorts, 'notes'>;
  readonly #running = new Map<string, Running>();
  readonly #ended = new Map<string, BlockRun>();
  readonly #listeners = new Set<(path: string) => void>();

  constructor(ports: Omit<RunNotePorts, 'notes'>) {
    this.#ports = ports;
  }

  runOf(path: string, key: string): RunningBlock | undefined {
    return this.#running.get(placeOf(path, key));
  }

  /** The run that made a call. */
  runOfCall(requestId: string): (RunningBlock & { readonly isOneOfMany: boolean }) | undefined {
    for (const running of this.#running.values()) if (running.callId === requestId) return running;
    return undefined;
  }

  /** How many requests of a note are on their way. */
  countOf(path: string): number {
    return [...this.#running.values()].filter(({ place }) => pathOf(place) === path).length;
  }

  /** How the last run ended. */
  endOf(path: string, key: string): BlockRun | undefined {
    return this.#ended.get(placeOf(path, key));
  }

  /** Calls back with a note's path whenever one of its runs changed. */
  subscribe(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs a request and resolves with how it ended; one that runs already is joined, not run twice. */
  async run(wanted: BlockToRun, notes: RunNotePorts['notes']): Promise<BlockRun | undefined> {
    const { key, block, ...note } = wanted;
    const [end] = this.runMany({ ...note, blocks: [{ key, block }] }, notes);
    return end;
  }

  /** Runs requests of a note, side by side as the host allows; answers with the end of each, in their order. */
  runMany(wanted: BlocksToRun, notes: RunNotePorts['notes']): readonly Promise<BlockRun>[] {
    const { path, blocks } = wanted;
    const isOneOfMany = blocks.length > 1;
    const fresh = new Map<number, Running>();
    const ends = blocks.map(({ key, block }) => {
      const place = placeOf(path, key);
      const known = this.#running.get(place);
      if (known !== undefined) return known.end;
      const running = new Running(place, isOneOfMany);
      this.#running.set(place, running);
      this.#ended.delete(place);
      fresh.set(block.line, running);
      return running.end;
    });
    if (fresh.size > 0) {
      this.#tell(path);
      void this.#run(wanted, fresh, notes);
    }
    return ends;
  }

  /** Follows a note, or all notes of a folder, to another name: what runs in them goes on. */
  renamed(from: string, to: string): void {
    move(this.#ended, from, to);
    move(this.#running, from, to);
    for (const [place, running] of this.#running) running.place = place;
  }

  /** A note is gone; what still runs for it goes on. */
  forget(path: string): void {
    for (const place of this.#ended.keys()) if (pathOf(place) === path) this.#ended.delete(place);
  }

  /** Ends a request that waits or runs; its server is told. */
  cancel(path: string, key: string): void {
    this.#running.get(placeOf(path, key))?.ending.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#running.values()];
    for (const { ending } of all) ending.abort();
    await Promise.allSettled(all.map(({ end }) => end));
    this.#listeners.clear();
  }

  async #run(
    { path, text, force, limit }: BlocksToRun,
    fresh: ReadonlyMap<number, Running>,
    notes: RunNotePorts['notes'],
  ): Promise<void> {
    const choice = { blocks: [...fresh.keys()].map(String) };
    const request = { path, sessionId: sessionOfNote(path), choice, force };
    try {
      await runNote(
        { ...request, ...(limit !== undefined && { limit }) },
        // The text that the blocks were found in, so that no other is run in their place.
        { ...this.#portsFor(fresh), notes: { ...notes, read: async () => text } },
        { onEvent: (event) => this.#follow(fresh.get(event.block.line), event) },
      );
    } catch (error) {
      for (const running of fresh.values()) {
        // Another run may have its place by now.
        if (this.#running.get(running.place) === running) this.#leave(running);
        running.fail(error);
      }
    }
  }

  /** What a run works with; each block's call can be ended alone. */
  #portsFor(fresh: ReadonlyMap<number, Running>): Omit<RunNotePorts, 'notes'> {
    const { host } = this.#ports;
    const { servers, sessions } = host;
    const execute: RunNotePorts['host']['execute'] = (request, options) => {
      const running = fresh.get(request.sectionLine ?? 0);
      if (running === undefined) throw new HostError('note_changed', 'The block is gone.');
      running.callId = request.id;
      return host.execute(request, { ...options, signal: running.ending.signal });
    };
    return { ...this.#ports, host: { execute, servers, sessions } };
  }

  #follow(running: Running | undefined, event: BlockEvent): void {
    if (running === undefined) return;
    if (event.kind === 'ended') {
      const { run } = event;
      this.#ended.set(running.place, run);
      this.#leave(running);
      running.succeed(run);
      return;
    }
    running.follow(event);
    this.#tell(pathOf(running.place));
  }

  #leave(running: Running): void {
    this.#running.delete(running.place);
    this.#tell(pathOf(running.place));
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path);
  }
}

class Running implements RunningBlock {
  place: string;
  readonly isOneOfMany: boolean;
  readonly ending = new AbortController();
  readonly since = Date.now();
  readonly end: Promise<BlockRun>;
  readonly succeed: (run: BlockRun) => void;
  readonly fail: (reason: unknown) => void;
  callId: string | undefined;
  state: CallState = { status: 'pending' };
  progress: Progress | undefined;

  constructor(place: string, isOneOfMany: boolean) {
    this.place = place;
    this.isOneOfMany = isOneOfMany;
    const { promise, resolve, reject } = Promise.withResolvers<BlockRun>();
    // Whoever asked hears of a failure; that nobody asked any more is none.
    promise.catch(() => {});
    this.end = promise;
    this.succeed = resolve;
    this.fail = reject;
  }

  follow(event: BlockEvent): void {
    if (event.kind === 'state') this.state = event.state;
    if (event.kind === 'progress') this.progress = event.progress;
  }
}

function placeOf(path: string, key: string): string {
  return `${path}\n${key}`;
}

function pathOf(place: string): string {
  return place.slice(0, place.indexOf('\n'));
}

function move(places: Map<string, unknown>, from: string, to: string): void {
  for (const [place, value] of [...places]) {
    const path = pathOf(place);
    const now = renamedPath(path, from, to);
    if (now === undefined) continue;
    places.delete(place);
    places.set(now + place.slice(path.length), value);
  }
}
