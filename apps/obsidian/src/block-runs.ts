import type { ToolBlock } from '@errand/document';
import {
  type BlockEvent,
  type BlockRun,
  type CallState,
  type Progress,
  type RunNotePorts,
  runNote,
} from '@errand/host';

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
  run(wanted: BlockToRun, notes: RunNotePorts['notes']): Promise<BlockRun | undefined> {
    const place = placeOf(wanted.path, wanted.key);
    const known = this.#running.get(place);
    if (known !== undefined) return known.end;
    const running = new Running((signal) => this.#run(wanted, notes, signal));
    this.#running.set(place, running);
    this.#tell(wanted.path);
    return running.end;
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
    { path, key, block, text, force }: BlockToRun,
    notes: RunNotePorts['notes'],
    signal: AbortSignal,
  ): Promise<BlockRun | undefined> {
    const place = placeOf(path, key);
    this.#ended.delete(place);
    const choice = { blocks: [String(block.line)] };
    try {
      const { results } = await runNote(
        { path, sessionId: `note:${path}`, choice, force },
        // The text that the block was found in, so that no other is run in its place.
        { ...this.#ports, notes: { ...notes, read: async () => text } },
        { signal, onEvent: (event) => this.#follow(path, place, event) },
      );
      const [end] = results;
      if (end !== undefined) this.#ended.set(place, end);
      return end;
    } finally {
      this.#running.delete(place);
      this.#tell(path);
    }
  }

  #follow(path: string, place: string, event: BlockEvent): void {
    this.#running.get(place)?.follow(event);
    this.#tell(path);
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path);
  }
}

class Running implements RunningBlock {
  readonly ending = new AbortController();
  readonly since = Date.now();
  readonly end: Promise<BlockRun | undefined>;
  state: CallState = { status: 'pending' };
  progress: Progress | undefined;

  constructor(run: (signal: AbortSignal) => Promise<BlockRun | undefined>) {
    // Begun a moment later, when whoever made this can already find it.
    this.end = Promise.resolve().then(() => run(this.ending.signal));
  }

  follow(event: BlockEvent): void {
    if (event.kind === 'state') this.state = event.state;
    if (event.kind === 'progress') this.progress = event.progress;
  }
}

function placeOf(path: string, key: string): string {
  return `${path}\n${key}`;
}
