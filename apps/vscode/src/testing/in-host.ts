import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeAnswer, BridgeQuestion } from './bridge/bridge-messages.ts';

/** A function that runs in the extension host: it sees what it is given, and nothing around it. */
export type InHost<Args extends readonly unknown[], Result> = (
  vscode: typeof import('vscode'),
  ...args: Args
) => Result | Promise<Result>;

/** The line to the extension host of one open folder. */
export class HostLine implements Disposable {
  readonly pid: number;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  private constructor(pid: number, socket: Socket) {
    this.pid = pid;
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => this.#hear(JSON.parse(line)));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The host has ended.'));
      this.#waiting.clear();
    });
    socket.on('error', () => {});
  }

  /** Waits for the extension host of a folder, other than those that are already known. */
  static async open(bridges: string, folder: string, known: readonly number[]): Promise<HostLine> {
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
    const deadline = performance.now() + 60_000;
    for (;;) {
      for (const file of readdirSync(bridges)) {
        const [, pid] = new RegExp(`^${name}-(\\d+)\\.sock$`).exec(file) ?? [];
        if (pid === undefined || known.includes(Number(pid))) continue;
        const socket = await connected(join(bridges, file));
        if (socket !== undefined) return new HostLine(Number(pid), socket);
      }
      if (performance.now() > deadline) throw new Error(`No extension host for ${folder}.`);
      await sleep(50);
    }
  }

  async run<Args extends readonly unknown[], Result>(
    work: InHost<Args, Result>,
    ...args: Args
  ): Promise<Result> {
    const id = ++this.#last;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const question: BridgeQuestion = { id, source: work.toString(), args };
    this.#socket.write(`${JSON.stringify(question)}\n`);
    return (await answer.promise) as Result;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #hear(answer: BridgeAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.value);
  }
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // A host that has ended leaves its file behind.
    socket.once('error', () => resolve(undefined));
  });
}
