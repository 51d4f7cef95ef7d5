import { managedConnector, scriptedContainer } from '@errand/machine/testing';
import { type BenchRow, median } from './bench-row.ts';

const rounds = 7;

/** Servers in containers, by the engine that tests use. */
export async function bench(): Promise<BenchRow[]> {
  const times: number[] = [];
  const signal = AbortSignal.timeout(300_000);
  for (let round = 0; round <= rounds; round += 1) {
    const startedAt = performance.now();
    await using connection = await managedConnector().connect(scriptedContainer(), { signal });
    await connection.listTools(signal);
    times.push(performance.now() - startedAt);
  }
  const [ours, peer] = [median(times), 2_000];
  const what = 'container: start to tools listed';
  const row = { what, unit: 'ms', ours, peer, peerName: 'target' } as const;
  return [{ ...row, target: '<= 2000 ms', pass: ours <= peer }];
}
