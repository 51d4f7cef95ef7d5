import type { Clock } from '../clock.ts';
import type { Connection, ToolDescription } from '../connection.ts';
import { startTimer } from '../start-timer.ts';

export type Tools = ReadonlyMap<string, ToolDescription>;

/** The tools of one connection, read again when they are old or the server says they changed. */
export class ToolList {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #onRead: (tools: Tools) => void;
  readonly #ending = new AbortController();
  #tools: Tools;
  #freshUntil: number;
  #reading: Promise<Tools> | undefined;

  constructor(
    connection: Connection,
    tools: readonly ToolDescription[],
    clock: Clock,
    onRead: (tools: Tools) => void,
  ) {
    this.#connection = connection;
    this.#clock = clock;
    this.#onRead = onRead;
    this.#tools = byName(tools);
    this.#freshUntil = clock.now() + keptFor;
    connection.onToolsChanged(() => this.#changed());
  }

  /** What was listed last, however old. */
  get known(): Tools {
    return this.#tools;
  }

  /** The list, read again first when it is out of date; a failed reading leaves the known one. */
  async current(): Promise<Tools> {
    if (this.#clock.now() < this.#freshUntil) return this.#tools;
    return this.refresh().catch(() => this.#tools);
  }

  /** Reads the list from the server whatever its age. */
  refresh(): Promise<Tools> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Ends a reading under way. */
  close(): void {
    this.#ending.abort();
  }

  #changed(): void {
    this.#freshUntil = 0;
    if (this.#reading === undefined) {
      this.current().catch(() => {});
      return;
    }
    // Announced while we read: that answer may be old. A server that floods is asked at a calm pace.
    this.#reading
      .catch(() => {})
      .then(() => this.#clock.sleep(calmPause, this.#ending.signal))
      .then(() => this.current())
      .catch(() => {});
  }

  async #read(): Promise<Tools> {
    this.#freshUntil = this.#clock.now() + keptFor;
    const late = new AbortController();
    using _timer = startTimer(this.#clock, readDeadline, () => late.abort());
    const signal = AbortSignal.any([this.#ending.signal, late.signal]);
    const tools = byName(await this.#connection.listTools(signal));
    this.#tools = tools;
    this.#onRead(tools);
    return tools;
  }
}

const keptFor = 300_000;
const readDeadline = 10_000;
const calmPause = 250;

function byName(tools: readonly ToolDescription[]): Tools {
  return new Map(tools.map((tool) => [tool.name, tool]));
}
