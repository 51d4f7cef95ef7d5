import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Keeps programs that tests start on this computer, and tells where else they wanted to go. */
export interface LoopbackGuard extends Disposable {
  /** For the environment of every program that is to be guarded; programs that it starts are guarded too. */
  readonly env: Readonly<Record<string, string>>;
  /** What was refused so far, one line each. */
  refused(): readonly string[];
}

/** Prepares a guard; `NODE_OPTIONS` of this process stay in force. */
export function createLoopbackGuard(): LoopbackGuard {
  const folder = mkdtempSync(join(tmpdir(), 'errand-loopback-'));
  const log = join(folder, 'refused.log');
  const preload = `--import=${new URL('./loopback-preload.ts', import.meta.url).href}`;
  return {
    env: {
      NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].filter(Boolean).join(' '),
      ERRAND_LOOPBACK_LOG: log,
    },
    refused: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
