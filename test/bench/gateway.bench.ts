import { type BenchRow, median } from './bench-row.ts';
import { connectPipe } from './gateway-client.ts';
import {
  type CallFigures,
  echoFrom,
  echoThrough,
  measureCalls,
  p50InTurns,
  warmUp,
} from './gateway-measure.ts';
import { answersFrom, type RunningGateway, startGateway } from './gateway-process.ts';
import { fixture, fixtures, floor, ours, type Target } from './gateway-target.ts';
import { peers } from './peers.ts';

const calledOften = 13_000;

/** Our gateway beside others and the least that any must do, all in one run. */
export async function bench(): Promise<BenchRow[]> {
  const our = ours();
  const least = floor();
  const others = peers();
  const [hub] = others;
  if (hub === undefined) throw new Error('There is no peer to compare with.');
  return [
    ...(await callRows(our, least, others)),
    await manyServersRow(our, hub),
    await hungServerRow(our, least),
    await idleRow(our, hub),
    await stderrRow(our, hub),
    ...(await crashRows(our, hub)),
  ];
}

async function callRows(our: Target, least: Target, others: readonly Target[]) {
  await using running = new AsyncDisposableStack();
  const gateways = [];
  for (const target of [our, least, ...others]) {
    gateways.push(running.use(await startGateway(target, fixtures(1))));
  }
  const { command, args } = fixture();
  using direct = await connectPipe(command, args);
  const calls = gateways.map((gateway) => [gateway.target.name, echoThrough(gateway)] as const);
  const all = { direct: echoFrom(direct), ...Object.fromEntries(calls) };
  await warmUp(all);
  const { direct: base, ...p50 } = await p50InTurns(all);
  const added = new Map(Object.entries<number>(p50).map(([name, time]) => [name, time - base]));
  // It loses its server for good by an answer of that size.
  const memory = await residentAfter(calledOften, gateways);
  const figures = await measureCalls(gateways, new Set(['mcp-proxy']));
  const pick = (key: keyof CallFigures) =>
    new Map([...figures].map(([name, figure]) => [name, figure[key]]));
  return [
    ...compare('added p50', 'ms', added, 0.8, {
      target: '<= floor + 0.04 ms',
      reaches: (mine, least) => mine <= least + 0.04,
    }),
    ...compare('processor time per call', 'ms', pick('cpuPerCall'), 0.75, {
      target: '<= 1.5 x floor',
      reaches: (mine, least) => mine <= 1.5 * least,
    }),
    ...compare('calls at 25 at once', 'per s', pick('perSecond'), 1.5, {
      target: '>= 0.85 x floor',
      reaches: (mine, least) => mine >= 0.85 * least,
    }),
    memoryRow(memory),
    largeRow(pick('tenMebibytes')),
  ];
}

/** What is aimed at beside the least that any gateway must do. */
interface FloorTarget {
  readonly target: string;
  readonly reaches: (mine: number, least: number) => boolean;
}

/** One row against the best peer, one against the floor, each with its target. */
function compare(
  what: string,
  unit: 'ms' | 'per s',
  values: ReadonlyMap<string, number>,
  factor: number,
  aim: FloorTarget,
): BenchRow[] {
  const isMore = factor > 1;
  const [peerName, peer] = best(values, isMore);
  const mine = values.get('ours') ?? Number.NaN;
  const least = values.get('floor') ?? Number.NaN;
  const pass = isMore ? mine >= factor * peer : mine <= factor * peer;
  const target = `${isMore ? '>=' : '<='} ${factor} x best peer`;
  return [
    { what: `gateway: ${what}`, unit, ours: mine, peer, peerName, target, pass },
    {
      what: `gateway: ${what}`,
      unit,
      ours: mine,
      peer: least,
      peerName: 'floor',
      target: aim.target,
      pass: aim.reaches(mine, least),
    },
  ];
}

/** The memory of each, in MB, once it has answered so many calls. */
async function residentAfter(
  count: number,
  gateways: readonly RunningGateway[],
): Promise<ReadonlyMap<string, number>> {
  for (const gateway of gateways) {
    const call = echoThrough(gateway);
    const lanes = Array.from({ length: 25 }, async () => {
      for (let each = 0; each < count / 25; each += 1) await call();
    });
    await Promise.all(lanes);
  }
  return new Map(gateways.map(({ target, residentMb }) => [target.name, residentMb()]));
}

function memoryRow(values: ReadonlyMap<string, number>): BenchRow {
  const [peerName, peer] = best(values, false);
  const ours = values.get('ours') ?? Number.NaN;
  const what = `gateway: memory after ${calledOften} calls`;
  return { what, unit: 'MB', ours, peer, peerName, target: '<= 140 MB', pass: ours <= 140 };
}

function largeRow(values: ReadonlyMap<string, number>): BenchRow {
  const [peerName, peer] = best(values, false);
  const mine = values.get('ours') ?? Number.NaN;
  const target = '<= 350 ms';
  const pass = mine <= 350;
  return { what: 'gateway: 10 MiB result', unit: 'ms', ours: mine, peer, peerName, target, pass };
}

function best(values: ReadonlyMap<string, number>, isMore: boolean): [string, number] {
  const others = [...values].filter(([name]) => name !== 'ours' && name !== 'floor');
  const [first = ['none', Number.NaN] as [string, number]] = others.sort(([, a], [, b]) =>
    isMore ? b - a : a - b,
  );
  return first;
}

async function manyServersRow(our: Target, hub: Target): Promise<BenchRow> {
  const times = new Map<Target, number[]>([our, hub].map((target) => [target, []]));
  for (let round = 0; round < 3; round += 1) {
    for (const [target, values] of times) {
      await using gateway = await startGateway(target, fixtures(50));
      values.push(gateway.startMs);
    }
  }
  const [mine, theirs] = [our, hub].map((target) => median(times.get(target) ?? []));
  return {
    what: 'gateway: 50 servers started, all tools listed',
    unit: 'ms',
    ours: mine ?? Number.NaN,
    peer: theirs ?? Number.NaN,
    peerName: hub.name,
    target: '<= best peer',
    pass: Number(mine) <= Number(theirs),
  };
}

async function hungServerRow(our: Target, least: Target): Promise<BenchRow> {
  const delay = async (target: Target) => {
    const delays: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      // By a call, not by the list: the first list waits up to 5 s for servers that are starting.
      await using without = await startGateway(target, fixtures(5), answersFrom('s4'));
      const servers = { hung: fixture('--hang'), ...fixtures(5) };
      await using withHung = await startGateway(target, servers, answersFrom('s4'));
      delays.push(withHung.startMs - without.startMs);
    }
    return Math.max(median(delays), 0);
  };
  const [mine, theirs] = [await delay(our), await delay(least)];
  return {
    what: 'gateway: delay of calls to others by a server that hangs at start',
    unit: 'ms',
    ours: mine,
    peer: theirs,
    peerName: 'floor',
    target: '< 500 ms',
    pass: mine < 500,
  };
}

async function idleRow(our: Target, hub: Target): Promise<BenchRow> {
  const resident = async (target: Target) => {
    await using gateway = await startGateway(target, fixtures(10));
    await sleep(5_000);
    return gateway.residentMb();
  };
  const [mine, theirs] = [await resident(our), await resident(hub)];
  return {
    what: 'gateway: memory idle with 10 servers',
    unit: 'MB',
    ours: mine,
    peer: theirs,
    peerName: hub.name,
    target: '<= 90 MB',
    pass: mine <= 90,
  };
}

async function stderrRow(our: Target, hub: Target): Promise<BenchRow> {
  const growth = async (target: Target) => {
    await using gateway = await startGateway(target, fixtures(1));
    await gateway.call('s0', 'noisy', { megabytes: 1 });
    const before = gateway.residentMb();
    await gateway.call('s0', 'noisy', { megabytes: 100 });
    await sleep(500);
    return gateway.residentMb() - before;
  };
  const [mine, theirs] = [await growth(our), await growth(hub)];
  return {
    what: 'gateway: memory grown by 100 MB on standard error',
    unit: 'MB',
    ours: mine,
    peer: theirs,
    peerName: hub.name,
    target: '< 5 MB',
    pass: mine < 5,
  };
}

async function crashRows(our: Target, hub: Target): Promise<BenchRow[]> {
  const [mine, theirs] = [await crash(our), await crash(hub)];
  const row = { unit: 'ms', peerName: hub.name } as const;
  return [
    {
      ...row,
      what: 'gateway: crash of a server to the error at its caller',
      ours: mine.error,
      peer: theirs.error,
      target: '<= 100 ms',
      pass: mine.error <= 100,
    },
    {
      ...row,
      what: 'gateway: crash of a server to its next answer',
      ours: mine.healthy,
      peer: theirs.healthy,
      target: '<= 1500 ms',
      pass: mine.healthy <= 1500,
    },
  ];
}

async function crash(target: Target): Promise<{ error: number; healthy: number }> {
  await using gateway = await startGateway(target, fixtures(1));
  await gateway.call('s0', 'echo', { text: 'warm' });
  const startedAt = performance.now();
  await gateway.call('s0', 'crash');
  const error = performance.now() - startedAt;
  while (performance.now() - startedAt < 4_000) {
    const { result } = await gateway.call('s0', 'echo', { text: 'back' });
    const { isError } = (result ?? { isError: true }) as { isError?: boolean };
    if (!isError) return { error, healthy: performance.now() - startedAt };
    await sleep(10);
  }
  return { error, healthy: Number.POSITIVE_INFINITY };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
