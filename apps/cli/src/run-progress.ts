import type { ToolBlock } from '@errand/document';
import { duration } from '@errand/document/display';
import type { BlockEvent } from '@errand/host';
import { describeProgress } from '@errand/workspace/text';
import type { createLogUpdate } from 'log-update';
import type { Drawing } from './progress-line.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Shows, on a terminal, a line for each block that waits or runs; elsewhere nothing. */
export class RunProgress implements Drawing, Disposable {
  readonly #update: ReturnType<typeof createLogUpdate> | undefined;
  readonly #rows: number;
  readonly #lines = new Map<ToolBlock, Line>();
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;

  private constructor(rows: number, update?: ReturnType<typeof createLogUpdate>) {
    this.#rows = rows;
    this.#update = update;
  }

  static async open(stream: Terminal['stderr']): Promise<RunProgress> {
    const { rows = 24 } = stream as NodeJS.WriteStream;
    if (!stream.isTTY) return new RunProgress(rows);
    const { createLogUpdate } = await import('log-update');
    return new RunProgress(rows, createLogUpdate(stream as NodeJS.WriteStream));
  }

  show(event: BlockEvent): void {
    if (this.#update === undefined || event.kind === 'called') return;
    const { block } = event;
    const line = this.#lines.get(block) ?? { text: '', since: undefined };
    if (event.kind === 'ended') this.#lines.delete(block);
    else if (event.kind === 'progress')
      this.#lines.set(block, { ...line, text: describeProgress(event.progress) });
    else if (event.state.status === 'executing')
      this.#lines.set(block, { text: 'running', since: performance.now() });
    else if (event.state.status === 'pending')
      this.#lines.set(block, {
        text: `waiting for its ${event.state.waitingFor ?? 'turn'}`,
        since: undefined,
      });
    if (this.#lines.size === 0) this.#stop();
    else this.#timer ??= setInterval(() => this.#draw(), 100);
  }

  /** Takes the lines away, so that something else can be written. */
  clear(): void {
    this.#update?.clear();
  }

  hold(): Disposable {
    this.#holds++;
    this.clear();
    // Gives the cursor back.
    this.#update?.done();
    return { [Symbol.dispose]: () => void this.#holds-- };
  }

  [Symbol.dispose](): void {
    this.#lines.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.clear();
  }

  #draw(): void {
    if (this.#holds > 0) return;
    const all = [...this.#lines];
    // A terminal cannot take back what has scrolled away.
    const shown = all.slice(0, this.#rows - 2);
    const rows = shown.map(([{ line, server, tool }, { text, since }]) => [
      `line ${line}`,
      `${server} ${tool}`,
      text,
      since === undefined ? '' : duration(performance.now() - since),
    ]);
    const more = all.length > shown.length ? `… and ${all.length - shown.length} more\n` : '';
    this.#update?.(table(rows) + more);
  }
}

interface Line {
  readonly text: string;
  readonly since: number | undefined;
}
