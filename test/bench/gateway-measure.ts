import { median } from './bench-row.ts';
import type { BenchClient } from './gateway-client.ts';
import type { RunningGateway } from './gateway-process.ts';

/** What calls through one gateway cost. */
export interface CallFigures {
  readonly p50: number;
  readonly cpuPerCall: number;
  readonly perSecond: number;
  readonly tenMebibytes: number;
}

const rounds = 5;
const callsInARow = 300;
const atOnce = 25;
const windowMs = 700;
/** Only after so many calls has the compiler done its work, whose time would be counted otherwise. */
const warmUpCalls = 12_000;
const warmUpMs = 6_000;
const echo = { text: 'hello' };

/** Measures all gateways in turns, so that what disturbs the machine disturbs them alike. */
export async function measureCalls(
  gateways: readonly RunningGateway[],
  cannotTakeLarge: ReadonlySet<string>,
): Promise<ReadonlyMap<string, CallFigures>> {
  const samples = new Map(
    gateways.map(({ target }) => [
      target.name,
      { p50: [] as number[], perSecond: [] as number[], large: [] as number[], cpu: 0, calls: 0 },
    ]),
  );
  for (const gateway of gateways) {
    const call = () => gateway.call('s0', 'echo', echo);
    await callAtOnce(call, warmUpMs, warmUpCalls);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const gateway of gateways) {
      const sample = samples.get(gateway.target.name);
      const call = () => gateway.call('s0', 'echo', echo);
      sample?.p50.push(await medianOf(callsInARow, call));
      const before = gateway.cpuMs();
      const { calls, perSecond } = await callAtOnce(call, windowMs);
      if (sample === undefined) continue;
      sample.cpu += gateway.cpuMs() - before;
      sample.calls += calls;
      sample.perSecond.push(perSecond);
    }
  }
  for (let round = 0; round < 3; round += 1) {
    for (const gateway of gateways) {
      const { name } = gateway.target;
      if (cannotTakeLarge.has(name)) continue;
      samples.get(name)?.large.push(await medianOf(1, () => gateway.call('s0', 'big')));
    }
  }
  return new Map(
    [...samples].map(([name, { p50, perSecond, large, cpu, calls }]) => [
      name,
      {
        p50: median(p50),
        cpuPerCall: cpu / calls,
        perSecond: median(perSecond),
        tenMebibytes: large.length > 0 ? median(large) : Number.POSITIVE_INFINITY,
      },
    ]),
  );
}

/** The time of a call without any gateway. */
export async function directP50(client: BenchClient): Promise<number> {
  const call = () => client.send('tools/call', { name: 'echo', arguments: echo });
  await medianOf(callsInARow, call);
  return medianOf(callsInARow, call);
}

/** The median time of so many calls, one after the other. */
export async function medianOf(count: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Calls 25 at once for a while, or until so many calls are done. */
export async function callAtOnce(
  call: () => Promise<unknown>,
  forMs: number,
  most = Number.MAX_VALUE,
) {
  const startedAt = performance.now();
  let calls = 0;
  const lane = async () => {
    while (calls < most && performance.now() - startedAt < forMs) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { calls, perSecond: (calls * 1000) / (performance.now() - startedAt) };
}
