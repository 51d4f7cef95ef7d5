import { describeFault } from '@errand/host';
import type { WorkbenchEvent } from '../../contract.ts';

/** An event on its way to pages, as text, with its place in the order of all. */
export interface LoggedEvent {
  readonly sequence: string;
  readonly text: string;
}

export interface EventBounds {
  readonly events: number;
  readonly characters: number;
}

const defaultBounds: EventBounds = { events: 2_000, characters: 4 * 1024 * 1024 };

/**
 * What happened, in order, kept for pages that were away for a while. A sequence also names the run
 * of the program, so that one from before a restart is not taken for one of now.
 */
export class EventLog {
  readonly #epoch = crypto.randomUUID().slice(0, 8);
  readonly #bounds: EventBounds;
  readonly #events: LoggedEvent[] = [];
  readonly #listeners = new Set<(event: LoggedEvent) => void>();
  #characters = 0;
  #last = 0;

  constructor(bounds: EventBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** The sequence of the newest event. */
  get sequence(): string {
    return this.#sequenceOf(this.#last);
  }

  readonly append = (event: WorkbenchEvent): void => {
    this.#last += 1;
    const logged = { sequence: this.sequence, text: JSON.stringify(event) };
    this.#events.push(logged);
    this.#characters += logged.text.length;
    while (
      this.#events.length > this.#bounds.events ||
      this.#characters > this.#bounds.characters
    ) {
      this.#characters -= this.#events.shift()?.text.length ?? 0;
    }
    for (const listener of this.#listeners) listener(logged);
  };

  /** What came after a sequence; nothing when that is no longer, or not, known here. */
  since(sequence: string): readonly LoggedEvent[] | undefined {
    const number = Number(sequence.slice(this.#epoch.length + 1));
    const isOurs = Number.isInteger(number) && sequence === this.#sequenceOf(number);
    const missed = this.#last - number;
    if (!isOurs || missed < 0 || missed > this.#events.length) return undefined;
    return missed === 0 ? [] : this.#events.slice(-missed);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: LoggedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #sequenceOf(number: number): string {
    return `${this.#epoch}-${number}`;
  }
}

/** Reports what a listener or a timer threw, where no page is there to be told. */
export function warnOfFault(error: unknown): void {
  process.emitWarning(describeFault(error));
}
