import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchRow } from './bench-row.ts';
import { type RunningGateway, startGateway } from './gateway-process.ts';
import { fixtures, ours } from './gateway-target.ts';

const minutes = Number(process.env.ERRAND_SOAK_MINUTES ?? 10);

/** Mixed calls for minutes on end: the gateway ends with what it had after the first of them. */
export async function bench(): Promise<BenchRow[]> {
  using hook = countsOnSignal();
  const our = ours();
  const counted = {
    ...our,
    start: (...args: Parameters<typeof our.start>) => [
      '--expose-gc',
      '--require',
      hook.path,
      ...our.start(...args),
    ],
  };
  await using gateway = await startGateway(counted, fixtures(3));
  let first: Holding | undefined;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await callForAMinute(gateway);
    const holding = await hook.count(gateway);
    console.error(`after ${minute} min: ${JSON.stringify(holding)}`);
    first ??= holding;
    if (minute === minutes) return compare(first, holding);
  }
  return [];
}

/** What the gateway says of itself. */
interface Counts {
  readonly timers: number;
  /** Megabytes that are still reachable. */
  readonly used: number;
}

interface Holding extends Counts {
  /** Megabytes that it has of the system. */
  readonly resident: number;
  readonly descriptors: number;
  readonly children: number;
}

function compare(first: Holding, last: Holding): BenchRow[] {
  const row = (what: keyof Holding, unit: BenchRow['unit'], most: number, target: string) => ({
    what: `soak: ${what} after ${minutes} min of mixed calls`,
    unit,
    ours: last[what],
    peer: first[what],
    peerName: 'after the first',
    target,
    pass: last[what] <= most,
  });
  return [
    row('used', 'MB', first.used * 1.1 + 5, '<= 1.1 x + 5 MB'),
    row('resident', 'MB', first.resident * 1.25, '<= 1.25 x'),
    row('descriptors', 'count', first.descriptors + 5, '<= + 5'),
    row('timers', 'count', first.timers + 5, '<= + 5'),
    row('children', 'count', first.children, '<= the same'),
  ];
}

/** Good, wrong, large, crashing and abandoned calls, from clients that come and go. */
async function callForAMinute(gateway: RunningGateway): Promise<void> {
  const until = performance.now() + 60_000;
  const isOver = () => performance.now() > until;
  const loop = async (every: number, work: () => Promise<unknown>) => {
    while (!isOver()) {
      await work().catch(() => undefined);
      await pause(every);
    }
  };
  await Promise.all([
    loop(0, () => gateway.call('s0', 'echo', { text: 'hello' })),
    loop(5, () => gateway.call('s1', 'echo', { text: { not: 'a text' } })),
    loop(20, () => gateway.call('s1', 'no-such-tool')),
    loop(5_000, () => gateway.call('s1', 'big')),
    loop(60_000, () => gateway.call('s2', 'crash')),
    loop(1_000, () => gateway.call('s1', 'noisy', { megabytes: 1 })),
    loop(50, async () => {
      using client = await gateway.connect();
      // Hangs up while it is answered.
      client.send('tools/call', { name: 's0__big', arguments: {} }).catch(() => undefined);
    }),
  ]);
  // What was begun ends: a crashed server is back after a second, a call after its answer.
  await pause(3_000);
  await gateway.call('s2', 'echo', { text: 'back' });
}

/** A script for the gateway that writes down what it holds when it is sent a signal. */
function countsOnSignal() {
  const path = join(tmpdir(), `errand-soak-${process.pid}.cjs`);
  const answer = `${path}.json`;
  writeFileSync(
    path,
    `process.on('SIGUSR2', () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      const used = (heapUsed + external) / 1024 / 1024;
      const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      require('node:fs').writeFileSync(${JSON.stringify(answer)}, JSON.stringify({ timers, used }));
    });`,
  );
  return {
    path,
    async count(gateway: RunningGateway): Promise<Holding> {
      rmSync(answer, { force: true });
      gateway.signal('SIGUSR2');
      const deadline = performance.now() + 10_000;
      for (;;) {
        await pause(100);
        try {
          const counts = JSON.parse(readFileSync(answer, 'utf8')) as Counts;
          return { ...counts, resident: gateway.residentMb(), ...gateway.held() };
        } catch (error) {
          if (performance.now() > deadline) throw error;
        }
      }
    },
    [Symbol.dispose]() {
      for (const file of [path, answer]) rmSync(file, { force: true });
    },
  };
}
