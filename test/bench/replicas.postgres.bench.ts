import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type RunningProgram, TestVault } from '../end-to-end/errand-process.ts';
import { type BenchRow, median } from './bench-row.ts';
import { loadOf } from './postgres-load.ts';

const calls = 1_000;
const warmUp = 200;
const url = process.env.ERRAND_TEST_POSTGRES ?? '';
const database = ['--database', url];

/** What a call costs through a replica, with and without a limit, beside the gateway alone. */
export async function bench(): Promise<BenchRow[]> {
  using vault = await TestVault.agreed();
  const alone = await measure(vault, ['gateway', '--no-token', '--port', '0', '--json'], '');
  const rows: BenchRow[] = [];
  for (const [name, flags] of [
    ['a replica', []],
    ['a replica, for a client with a limit', ['--calls', '1000000/day']],
  ] as const) {
    const add = ['gateway', 'clients', 'add', `bench${flags.length}`, ...database, ...flags];
    const { token } = (await vault.json(...add)).json as { token: string };
    const args = ['gateway', '--replica', ...database, '--port', '0', '--json'];
    const { result, load } = await loadOf(url, () => measure(vault, args, token));
    const { p50, cpuMs } = result;
    const rest = { unit: 'ms', peerName: 'gateway alone', target: 'reported', pass: true } as const;
    rows.push(
      { what: `replicas: a call through ${name}, p50`, ours: p50, peer: alone.p50, ...rest },
      {
        what: `replicas: processor time of a call through ${name}`,
        ours: cpuMs,
        peer: alone.cpuMs,
        ...rest,
      },
      {
        ...rest,
        what: `replicas: queries per call through ${name}`,
        unit: 'count',
        ours: load.transactions / (calls + warmUp),
        peer: 1,
        peerName: 'one for each call',
      },
    );
  }
  return rows;
}

async function measure(vault: TestVault, args: readonly string[], token: string) {
  using program = vault.start(...args);
  await program.says(/"url":/);
  const { url } = JSON.parse(program.stdout.split('\n')[0] ?? '') as { url: string };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = () => post(url, token, agent);
  for (let count = 0; count < warmUp; count += 1) await call();
  const before = cpuMsOf(program);
  const times: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  const cpuMs = (cpuMsOf(program) - before) / calls;
  agent.destroy();
  program.child.kill('SIGTERM');
  await program.ended;
  return { p50: median(times), cpuMs };
}

async function post(url: string, token: string, agent: Agent): Promise<void> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'fix__echo', arguments: { text: 'hello' }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: headersOf(token) }, (response) => {
      text(response).then(resolve, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
  if (!answer.includes('hello')) throw new Error(answer.slice(0, 300));
}

function headersOf(token: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'fix__echo',
    ...(token && { authorization: `Bearer ${token}` }),
  };
}

/** Of the process itself, from the kernel's count of ticks. */
function cpuMsOf({ child }: RunningProgram): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
