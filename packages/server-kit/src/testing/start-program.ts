import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RawClient } from './raw-client.ts';

/** A server program that runs as a process of its own. */
export class Program implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly client: RawClient;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  #errors = '';

  constructor(file: URL, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [fileURLToPath(file), ...args], {
      env: { ...process.env, ...env },
    });
    this.client = new RawClient(this.child.stdin, this.child.stdout);
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (chunk) => {
      this.#errors += chunk;
    });
  }

  /** What the program has written to standard error so far. */
  get errors(): string {
    return this.#errors;
  }

  /** Waits for a line on standard error that contains a text, or for its second one and so on. */
  async logged(text: string, count = 1): Promise<string> {
    for (;;) {
      const lines = this.#errors.split('\n').slice(0, -1);
      const line = lines.filter((each) => each.includes(text))[count - 1];
      if (line !== undefined) return line;
      await Promise.race([once(this.child.stderr, 'data'), this.#endedWithout(text)]);
    }
  }

  async #endedWithout(text: string): Promise<never> {
    const { code, signal } = await this.exited;
    throw new Error(`It ended (${signal ?? code}) without logging ${text}: ${this.#errors}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
