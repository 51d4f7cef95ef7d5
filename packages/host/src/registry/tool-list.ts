import type { Clock } from '../clock.ts';
import type { Connection, ToolDescription } from '../connection.ts';
import { sortedJson } from '../text/sorted-json.ts';

export type Tools = ReadonlyMap<string, ToolDescription>;

/** The tools of one connection, read again when they are old or the server says they changed. */
export class ToolList {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #onChange: (tools: Tools) => void;
  readonly #controller = new AbortController();
  #tools: Tools;
  #readAt: number;
  #freshUntil: number;
  #isPausing = false;
  #reading: Promise<Tools> | undefined;

  constructor(
    connection: Connection,
    tools: readonly ToolDescription[],
    clock: Clock,
    onChange: (tools: Tools) => void,
  ) {
    this.#connection = connection;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#tools = byName(tools);
    this.#readAt = clock.monotonic();
    this.#freshUntil = this.#readAt + keptFor;
    connection.onToolsChanged(() => this.#changed());
  }

  /** What was listed last, however old. */
  get known(): Tools {
    return this.#tools;
  }

  /** What was listed last, unless it is out of date. */
  get fresh(): Tools | undefined {
    return this.#clock.monotonic() < this.#freshUntil ? this.#tools : undefined;
  }

  /** The list, read again first when it is out of date; a failed reading leaves the known one. */
  async current(): Promise<Tools> {
    if (this.fresh !== undefined) return this.fresh;
    return this.refresh().catch(() => {
      // Not asked again by every call: a server that cannot list may still be able to work.
      this.#freshUntil = this.#clock.monotonic() + readDeadline;
      return this.#tools;
    });
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
    this.#controller.abort();
  }

  #changed(): void {
    this.#freshUntil = 0;
    if (this.#isPausing) return;
    this.#isPausing = true;
    // A server that floods us with changes is asked at a limited rate.
    const pause = Math.max(0, this.#readAt + minPauseMs - this.#clock.monotonic());
    this.#clock
      .sleep(pause, this.#controller.signal)
      .then(() => {
        this.#isPausing = false;
        return this.current();
      })
      .catch(() => {});
  }

  async #read(): Promise<Tools> {
    this.#readAt = this.#clock.monotonic();
    this.#freshUntil = this.#readAt + keptFor;
    const late = new AbortController();
    using _timer = this.#clock.after(readDeadline, () => late.abort());
    const signal = AbortSignal.any([this.#controller.signal, late.signal]);
    const tools = byName(await this.#connection.listTools(signal));
    const isNews = written(tools) !== written(this.#tools);
    this.#tools = tools;
    if (isNews) this.#onChange(tools);
    return tools;
  }
}

const keptFor = 300_000;
const readDeadline = 10_000;
const minPauseMs = 250;

/** The tools as text; some servers list the same tools in another order each time. */
function written(tools: Tools): string {
  return sortedJson(Object.fromEntries(tools));
}

function byName(tools: readonly ToolDescription[]): Tools {
  return new Map(tools.map((tool) => [tool.name, tool]));
}
