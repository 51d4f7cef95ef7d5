import { median } from './bench-row.ts';
import type { BenchClient } from './gateway-client.ts';
import type { RunningGateway } from './gateway-process.ts';

/** What calls through one gateway cost. */
export interface CallFigures {
  readonly cpuPerCall: number;
  readonly perSecond: number;
  readonly tenMebibytes: number;
}

const rounds = 5;
const callRounds = 24;
const callsInARow = 300;
const atOnce = 25;
const windowMs = 700;
const warmUpCalls = 12_000;
const warmUpMs = 6_000;
const echo = { text: 'hello' };

export type Call = () => Promise<unknown>;

/** A call of the tool that answers with what it is given. */
export function echoThrough(gateway: RunningGateway): Call {
  return () => gateway.call('s0', 'echo', echo);
}

/** The same without a gateway. */
export function echoFrom(server: BenchClient): Call {
  return () => server.send('tools/call', { name: 'echo', arguments: echo });
}

/** Measures all gateways, which are warm, in turns, so that what disturbs the machine disturbs them alike. */
export async function measureCalls(
  gateways: readonly RunningGateway[],
  cannotTakeLarge: ReadonlySet<string>,
): Promise<ReadonlyMap<string, CallFigures>> {
  const samples = new Map(
    gateways.map(({ target }) => [
      target.name,
      { perSecond: [] as number[], large: [] as number[], cpu: 0, calls: 0 },
    ]),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const gateway of gateways) {
      const sample = samples.get(gateway.target.name);
      const call = echoThrough(gateway);
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
    [...samples].map(([name, { perSecond, large, cpu, calls }]) => [
      name,
      {
        cpuPerCall: cpu / calls,
        perSecond: median(perSecond),
        tenMebibytes: large.length > 0 ? median(large) : Number.POSITIVE_INFINITY,
      },
    ]),
  );
}

/**
 * The median time of a call, when one follows the other, of several that are measured in turns. Where the
 * system wakes the processes that take part changes from moment to moment, so it takes many rounds.
 */
export async function p50InTurns<Name extends string>(
  calls: Readonly<Record<Name, Call>>,
): Promise<Readonly<Record<Name, number>>> {
  const entries = Object.entries(calls) as [Name, Call][];
  const times = new Map(entries.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round < callRounds; round += 1) {
    // To and fro, so that nobody always follows the same one.
    for (const [name, call] of round % 2 === 0 ? entries : entries.toReversed()) {
      times.get(name)?.push(await medianOf(callsInARow, call));
    }
  }
  const medians = [...times].map(([name, values]) => [name, median(values)]);
  return Object.fromEntries(medians) as Readonly<Record<Name, number>>;
}

/** Calls until the compiler has done its work, whose time would be counted otherwise. */
export async function warmUp(calls: Readonly<Record<string, Call>>): Promise<void> {
  for (const call of Object.values(calls)) await callAtOnce(call, warmUpMs, warmUpCalls);
}

/** The median time of so many calls, one after the other. */
async function medianOf(count: number, call: Call): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Calls 25 at once for a while, or until so many calls are done. */
export async function callAtOnce(call: Call, forMs: number, most = Number.MAX_VALUE) {
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
