import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'rolldown';
import { type BenchRow, median } from './bench-row.ts';
import { connectHttp, connectPipe } from './gateway-client.ts';
import {
  callAtOnce,
  echoFrom,
  echoThrough,
  measureCalls,
  p50InTurns,
  warmUp,
} from './gateway-measure.ts';
import { startGateway } from './gateway-process.ts';
import type { Target } from './gateway-target.ts';
import { startOnPipes } from './piped-server.ts';

const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench');
const clients = 100;

/** A server made with the kit beside the same one made with the SDK alone, both built alike. */
export async function bench(): Promise<BenchRow[]> {
  mkdirSync(folder, { recursive: true });
  const programs = { ours: await built('kit-server.ts'), peer: await built('kit-sdk-server.ts') };
  return [
    await startRow(programs),
    ...(await pipeRows(programs)),
    ...(await httpRows(programs)),
    await sessionsRow(programs),
  ];
}

interface Pair<T> {
  readonly ours: T;
  readonly peer: T;
}

const peerName = 'plain SDK';

async function built(name: string): Promise<string> {
  const file = join(folder, `${basename(name, '.ts')}.js`);
  await build({
    input: join(import.meta.dirname, name),
    platform: 'node',
    output: { file, format: 'esm', codeSplitting: false, minify: true },
  });
  return file;
}

async function startRow(programs: Pair<string>): Promise<BenchRow> {
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < 9; round += 1) {
    for (const side of ['ours', 'peer'] as const) {
      await using server = await startOnPipes([programs[side]], folder);
      times[side].push(server.startMs);
    }
  }
  const [ours, peer] = [median(times.ours), median(times.peer)];
  const what = 'kit: start to first answer over stdio';
  const pass = ours <= 1.1 * peer;
  return { what, unit: 'ms', ours, peer, peerName, target: '<= 1.1 x', pass };
}

async function pipeRows(programs: Pair<string>): Promise<BenchRow[]> {
  using ours = await connectPipe(process.execPath, [programs.ours]);
  using peer = await connectPipe(process.execPath, [programs.peer]);
  const calls = { ours: echoFrom(ours), peer: echoFrom(peer) };
  const perSecond = { ours: [] as number[], peer: [] as number[] };
  await warmUp(calls);
  const p50 = await p50InTurns(calls);
  for (let round = 0; round < 7; round += 1) {
    for (const side of ['ours', 'peer'] as const) {
      perSecond[side].push((await callAtOnce(calls[side], 500)).perSecond);
    }
  }
  return [
    addedRow('stdio', p50.ours, p50.peer),
    rateRow('stdio', median(perSecond.ours), median(perSecond.peer)),
  ];
}

async function httpRows(programs: Pair<string>): Promise<BenchRow[]> {
  await using ours = await startGateway(target('ours', programs.ours), {});
  await using peer = await startGateway(target('peer', programs.peer), {});
  const calls = { ours: echoThrough(ours), peer: echoThrough(peer) };
  await warmUp(calls);
  const p50 = await p50InTurns(calls);
  const figures = await measureCalls([ours, peer], new Set(['ours', 'peer']));
  const [mine, theirs] = [figures.get('ours'), figures.get('peer')];
  if (mine === undefined || theirs === undefined) throw new Error('Nothing was measured.');
  return [addedRow('HTTP', p50.ours, p50.peer), rateRow('HTTP', mine.perSecond, theirs.perSecond)];
}

function addedRow(transport: string, ours: number, peer: number): BenchRow {
  const what = `kit: call over ${transport}, p50`;
  const pass = ours - peer <= 0.1;
  return { what, unit: 'ms', ours, peer, peerName, target: '<= 0.1 ms more', pass };
}

function rateRow(transport: string, ours: number, peer: number): BenchRow {
  const what = `kit: calls over ${transport}, 25 at once`;
  const pass = ours >= 0.8 * peer;
  return { what, unit: 'per s', ours, peer, peerName, target: '>= 0.8 x', pass };
}

/** What 100 clients that have called once add to a server, in memory that stays. */
async function sessionsRow(programs: Pair<string>): Promise<BenchRow> {
  const grown = async (path: string) => {
    await using server = await startGateway(target('ours', path), {});
    const before = server.residentMb();
    using connected = new DisposableStack();
    for (let count = 1; count < clients; count += 1) {
      const client = connected.use(await server.connect());
      await client.send('tools/call', { name: 'echo', arguments: { text: 'hello' } });
    }
    return server.residentMb() - before;
  };
  const [ours, peer] = [await grown(programs.ours), await grown(programs.peer)];
  return {
    what: `kit: memory of ${clients} sessions over HTTP`,
    unit: 'MB',
    ours,
    peer,
    peerName,
    target: '<= plain SDK',
    pass: ours <= peer,
  };
}

function target(name: string, path: string): Target {
  return {
    name,
    takesMany: false,
    start: (_servers, port) => [path, '--http', String(port)],
    connect: (port) => connectHttp(`http://127.0.0.1:${port}/mcp`),
    toolName: (_server, tool) => tool,
  };
}
