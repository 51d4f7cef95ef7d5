import { type Clock, systemClock } from '@errand/host';
import type { MailBoard, MailEvent } from '@errand/mailroom';
import { Throttle } from '@errand/workspace/events';
import type { MailCounts, WorkbenchEvent } from '../../contract.ts';
import { warnOfFault } from '../events/event-log.ts';
import type { VaultServices } from '../workbench-ports.ts';

/** Tells pages that something in the mailroom changed, at most so often, and how much waits there. */
export class MailMonitor implements Disposable {
  readonly #throttle: Throttle;
  readonly #services: VaultServices | undefined;
  readonly #feed: (event: WorkbenchEvent) => void;
  readonly #unsubscribe: (() => void) | undefined;
  #counts: MailCounts | null = null;
  #isReading = false;
  #isStale = false;

  constructor(
    services: VaultServices | undefined,
    feed: (event: WorkbenchEvent) => void,
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#throttle = new Throttle(warnOfFault, clock);
    this.#services = services;
    this.#feed = feed;
    this.#unsubscribe = services?.serviceEvents.subscribe(({ service, event }) => {
      if (service !== 'mail') return;
      const { kind } = event as unknown as MailEvent;
      // Every other event comes with one of these.
      if (kind === 'board-changed' || kind === 'state-changed' || kind === 'round-ended') {
        this.#throttle.run('board', () => void this.#publish().catch(warnOfFault));
      }
    });
  }

  /** Null until something was heard of the mailroom: asking would open it. */
  get counts(): MailCounts | null {
    return this.#counts;
  }

  /** Takes the counts from a board that was read anyway. */
  note({ counts: { waiting, wrong } }: MailBoard): void {
    this.#counts = { waiting, wrong };
  }

  [Symbol.dispose](): void {
    this.#unsubscribe?.();
    this.#throttle[Symbol.dispose]();
  }

  /** Reads the board, once more when something changes meanwhile: a late answer must not replace a newer one. */
  async #publish(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const request = { service: 'mail', method: 'board', params: { done: 0 } };
        const reply = await this.#services?.request(request);
        if (reply === undefined) return;
        this.note(reply.value as MailBoard);
        if (this.#counts !== null) this.#feed({ kind: 'mail-changed', counts: this.#counts });
      }
    } finally {
      this.#isReading = false;
    }
  }
}
