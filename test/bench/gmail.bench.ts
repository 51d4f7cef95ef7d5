import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRow, median } from './bench-row.ts';
import { startOnPipes } from './piped-server.ts';

const root = join(import.meta.dirname, '..', '..');
const rounds = 9;

/** How long a quiet server gives memory back for. */
const quiet = 2000;

/** The Gmail server beside the vault server, each as built: what a client waits for, and what stays in memory. */
export async function bench(): Promise<BenchRow[]> {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
  const folder = mkdtempSync(join(tmpdir(), 'errand-bench-'));
  try {
    mkdirSync(join(folder, 'vault'));
    const ours = await measure('gmail', folder, ['--ledger', join(folder, 'ledger.sqlite')]);
    const peer = await measure('vault', folder, []);
    const peerName = 'errand-vault';
    return [
      {
        what: 'gmail: start to first answer over stdio, p50',
        unit: 'ms',
        ours: ours.startMs,
        peer: peer.startMs,
        peerName,
        target: 'at most 250',
        pass: ours.startMs <= 250,
      },
      {
        what: 'gmail: memory when idle',
        unit: 'MB',
        ours: ours.idleMb,
        peer: peer.idleMb,
        peerName,
        target: 'at most 90',
        pass: ours.idleMb <= 90,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(server: string, folder: string, more: readonly string[]) {
  const program = join(root, 'servers', server, 'dist', 'main.js');
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using running = await startOnPipes(
      [program, '--vault', join(folder, 'vault'), ...more],
      folder,
    );
    times.push(running.startMs);
    if (round > 2) continue;
    await running.call('health_check', {});
    await sleep(quiet);
    memory.push(running.residentMb());
  }
  return { startMs: median(times), idleMb: median(memory) };
}
