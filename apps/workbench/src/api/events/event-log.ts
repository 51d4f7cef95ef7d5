import { describeFault } from '@errand/host';
import type { WorkbenchEvent } from '../../contract.ts';

/** An event as JSON, with its sequence. */
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
 * The latest events in order, for pages that reconnect. A sequence also identifies the run of the program, so that
 * one from before a restart is not mistaken for a current one.
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

  /** The events after a sequence; undefined when the sequence is unknown or too old. */
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

/** Reports an error of a listener or a timer that no page can be shown. */
export function warnOfFault(error: unknown): void {
  process.emitWarning(describeFault(error));
}
