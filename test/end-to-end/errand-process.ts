import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of a vault, and the `errand` command run in it as a person runs it, with a home of its own. */
export class TestVault implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'errand-vault-'));
  readonly folder = join(this.#folder, 'vault');

  constructor(original: string = join(root, 'examples/vault')) {
    cpSync(original, this.folder, { recursive: true });
  }

  /** The environment that keeps a test's state, cache and settings to itself. */
  get env(): NodeJS.ProcessEnv {
    const home = join(this.#folder, 'home');
    return {
      ...process.env,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_CONFIG_HOME: join(home, 'config'),
    };
  }

  errand(...args: readonly string[]): Promise<Ended> {
    return run(process.execPath, [join(root, 'apps/cli/bin/errand.cjs'), ...args], this);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs a program in a vault to its end. */
export function run(
  program: string,
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
