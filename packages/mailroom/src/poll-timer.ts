import type { MailroomPorts } from './mailroom-ports.ts';

type TimerPorts = Pick<MailroomPorts, 'clock' | 'settings' | 'backoff'>;

/** Begins a round when the time has come: every poll, later after failures. */
export class PollTimer implements Disposable {
  readonly #ports: TimerPorts;
  readonly #run: () => Promise<void>;
  #timer: Disposable | undefined;
  #nextAt: number | undefined;
  #failures = 0;
  #waitMs = 0;
  #isStopped = true;

  /** `run` never rejects. */
  constructor(ports: TimerPorts, run: () => Promise<void>) {
    this.#ports = ports;
    this.#run = run;
  }

  /** When the next round begins, in milliseconds since 1970. */
  get nextAt(): number | undefined {
    return this.#nextAt;
  }

  start(): void {
    this.#isStopped = false;
    this.#schedule(0);
  }

  /** Begins no round until it is started again. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#nextAt = undefined;
  }

  /** A timer that was started begins a round at once. */
  hurry(): void {
    if (this.#timer !== undefined) this.#schedule(0);
  }

  /** The mailbox answered. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** The mailbox failed, and asks to be left alone for so long. */
  failed(waitMs: number): void {
    this.#failures += 1;
    this.#waitMs = waitMs;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  #schedule(milliseconds: number): void {
    this.#timer?.[Symbol.dispose]();
    if (this.#isStopped) return;
    const { clock } = this.#ports;
    this.#nextAt = clock.now() + milliseconds;
    this.#timer = clock.after(milliseconds, () => {
      void this.#run().finally(() => this.#schedule(this.#pause()));
    });
  }

  #pause(): number {
    const { settings, backoff } = this.#ports;
    const poll = (settings()?.pollSeconds ?? 120) * 1000;
    return this.#failures === 0 ? poll : Math.max(poll, backoff(this.#failures, this.#waitMs));
  }
}
