import type { RunningBlock } from '@errand/workspace/runs';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Block, BlockEnd } from '../../../contract.ts';

/** A block with its running call and the end of its last run. */
export interface Card {
  readonly block: Block;
  readonly run: RunningBlock | null;
  readonly end: BlockEnd | null;
}

/** The blocks of a note as one signal each, so that only changed cards are rendered. */
export class BlockCards {
  readonly #cards = new Map<string, Signal<Card | undefined>>();
  readonly #keys = signal<readonly string[]>([]);
  readonly #runs = new Map<string, readonly string[]>();
  /** Events since loading began; they are newer than the response. */
  #news = new Map<string, RunningBlock | null>();

  readonly running = computed(
    () => this.#keys.value.filter((key) => this.#card(key).value?.run != null).length,
  );

  /** Blocks that the last run left as they are, because a second call could act a second time. */
  readonly alreadyDone = computed(() =>
    this.#keys.value.filter((key) => {
      const card = this.#card(key).value;
      return card?.run === null && card.end?.error?.code === 'already_done';
    }),
  );

  get(key: string): ReadonlySignal<Card | undefined> {
    return this.#card(key);
  }

  /** Must be called before the note is requested. */
  beginReading(): void {
    this.#news = new Map();
  }

  show(blocks: readonly Block[]): void {
    batch(() => {
      const keys = new Set(blocks.map(({ key }) => key));
      for (const block of blocks) this.#showBlock(block);
      for (const [key, card] of this.#cards) if (!keys.has(key)) card.value = undefined;
      this.#keys.value = [...keys];
    });
  }

  start(runId: string, keys: readonly string[]): void {
    this.#runs.set(runId, keys);
    const since = Date.now();
    const run: RunningBlock = {
      status: 'pending',
      waitingFor: null,
      since,
      startedAt: null,
      progress: null,
    };
    batch(() => {
      for (const key of keys) this.change(key, run, null);
    });
  }

  change(key: string, run: RunningBlock | null, end: BlockEnd | null): void {
    this.#news.set(key, run);
    const card = this.#card(key);
    if (card.value !== undefined) card.value = { ...card.value, run, end };
  }

  end(runId: string, results: readonly BlockEnd[]): void {
    const ends = new Map(results.map((end) => [end.key, end]));
    batch(() => {
      for (const key of this.#runs.get(runId) ?? ends.keys()) {
        if (this.#card(key).value?.run != null) this.change(key, null, ends.get(key) ?? null);
      }
    });
    this.#runs.delete(runId);
  }

  #showBlock(block: Block): void {
    const card = this.#card(block.key);
    const known = card.value;
    const news = this.#news.get(block.key);
    const run = news === undefined ? block.run : news;
    if (known !== undefined && isSame(known.block, block) && isSame(known.run, run)) return;
    card.value = { block, run, end: known?.end ?? null };
  }

  #card(key: string): Signal<Card | undefined> {
    const known = this.#cards.get(key);
    if (known !== undefined) return known;
    const card = signal<Card | undefined>(undefined);
    this.#cards.set(key, card);
    return card;
  }
}

/** Ignores line numbers: they move whenever a result is written above. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, withoutLines) === JSON.stringify(b, withoutLines);
}

function withoutLines(this: unknown, name: string, value: unknown): unknown {
  return name === 'line' || name === 'endLine' ? undefined : value;
}
