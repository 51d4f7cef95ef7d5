import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface TestRun {
  readonly child: ChildProcess;
  readonly done: Promise<{ code: number | null; output: string }>;
}

interface TestOptions {
  readonly prefix?: readonly string[];
  readonly CI?: string;
  readonly ERRAND_TEST_MINUTES?: string;
}

/** A folder of test files in which the test runner can be tried. */
export class ScratchProject implements AsyncDisposable {
  readonly #runs: TestRun[] = [];
  readonly folder: string = mkdtempSync(join(tmpdir(), 'errand-scratch-'));

  constructor(files: Readonly<Record<string, string>>) {
    chmodSync(this.folder, 0o777);
    const modules = new URL('../../node_modules', import.meta.url);
    symlinkSync(fileURLToPath(modules), join(this.folder, 'node_modules'));
    for (const [name, source] of Object.entries(files)) {
      writeFileSync(join(this.folder, name), `import { expect, test } from 'vitest';\n${source}`);
    }
  }

  /** Runs `npm test` here; `prefix` is a program that starts it, such as `unshare` with its options. */
  test(args: readonly string[], { prefix = [], ...env }: TestOptions = {}): TestRun {
    const runner = fileURLToPath(import.meta.resolve('../test.ts'));
    const [program = '', ...rest] = [...prefix, process.execPath, runner, ...args];
    const child = spawn(program, rest, {
      cwd: this.folder,
      // Nothing of the run that this is a part of may reach the one that is tried.
      env: { PATH: process.env.PATH, HOME: this.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    const done = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const run = { child, done: done.then((code) => ({ code, output })) };
    this.#runs.push(run);
    return run;
  }

  /** A run that is still going, which only a failing test leaves, is ended with its engine. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, done } of this.#runs) {
      child.kill('SIGTERM');
      // A run that could not start has failed its test already.
      await done.catch(() => {});
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
