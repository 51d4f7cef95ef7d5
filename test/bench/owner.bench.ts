import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedHost } from '@errand/owner';
import { type BenchRow, median } from './bench-row.ts';
import { type Call, echoThrough, p50InTurns, warmUp } from './gateway-measure.ts';
import { type RunningGateway, startGateway } from './gateway-process.ts';
import { fixtures, ours, type Target } from './gateway-target.ts';

const starts = 15;
const takeOvers = 7;

/** What it costs to use the servers of the program that owns the vault instead of running them oneself. */
export async function bench(): Promise<BenchRow[]> {
  const target = ours();
  await using owner = await startGateway(target, fixtures(1));
  await using attached = await attach(owner);
  using hook = busyHook();
  await using slowOwner = await startGateway(withHook(target, hook.path), fixtures(1));
  await using slowly = await attach(slowOwner);
  return [
    await startRow(owner),
    await callRow(owner, attached.call),
    await slowRow(attached.call, slowly.call),
    await takeOverRow(target),
  ];
}

/** A command from its start to its answer. */
async function startRow({ program, scratch }: RunningGateway): Promise<BenchRow> {
  const vault = join(scratch, 'vault');
  const call = [program, 'call', 's0', 'echo', 'text=hello', '--vault', vault];
  const times = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round <= starts; round += 1) {
    const [mine, least] = [
      await timeToAnswer(call, scratch),
      await timeToAnswer(['-e', 'process.stdout.write("hello")'], scratch),
    ];
    // The first fills the cache of compiled code.
    if (round === 0) continue;
    times.ours.push(mine);
    times.floor.push(least);
  }
  const [mine, peer] = [median(times.ours), median(times.floor)];
  const what = 'owner: errand call, start to answer';
  const row = { what, unit: 'ms', ours: mine, peer, peerName: 'node alone' } as const;
  return { ...row, target: '<= 150 ms', pass: mine <= 150 };
}

async function timeToAnswer(args: readonly string[], scratch: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch },
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const answeredAt = performance.now();
  await exited;
  return answeredAt - startedAt;
}

async function callRow(owner: RunningGateway, call: Call): Promise<BenchRow> {
  const calls = { ours: call, peer: echoThrough(owner) };
  await warmUp(calls);
  const p50 = await p50InTurns(calls);
  const what = 'owner: call of an attached program, p50';
  const row = { what, unit: 'ms', ...p50, peerName: 'through the gateway' } as const;
  return { ...row, target: '<= 1 x', pass: p50.ours <= p50.peer };
}

async function slowRow(call: Call, slowCall: Call): Promise<BenchRow> {
  const calls = { peer: call, ours: slowCall };
  await warmUp(calls);
  const p50 = await p50InTurns(calls);
  const what = 'owner: call of a program attached to a busy editor, p50';
  const row = { what, unit: 'ms', ...p50, peerName: 'idle owner' } as const;
  return { ...row, target: '<= 5 ms more', pass: p50.ours - p50.peer <= 5 };
}

/** From the end of an owner by `kill -9` to the next owner, with a program attached. */
async function takeOverRow(target: Target): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < takeOvers; round += 1) {
    await using owner = await startGateway(target, fixtures(1));
    const first = ownerOf(owner.scratch);
    await using _attached = await startGateway(target, fixtures(1), undefined, owner.scratch);
    const killedAt = performance.now();
    owner.signal('SIGKILL');
    while (
      [first, undefined].includes(ownerOf(owner.scratch)) &&
      performance.now() - killedAt < 30_000
    )
      await sleep(2);
    times.push(performance.now() - killedAt);
  }
  const [mine, peer] = [median(times), 2_000];
  const what = 'owner: killed, to the next owner';
  const row = { what, unit: 'ms', ours: mine, peer, peerName: 'target' } as const;
  return { ...row, target: '<= 2000 ms', pass: mine <= peer };
}

/** The process that owns the one vault there is. */
function ownerOf(scratch: string): number | undefined {
  const [file] = globSync(join(scratch, 'errand', 'owners', '*', 'owner.json'));
  try {
    return JSON.parse(readFileSync(file ?? '', 'utf8')).pid;
  } catch {
    // It is being replaced.
    return undefined;
  }
}

interface Attached extends AsyncDisposable {
  readonly call: Call;
}

/** Attaches this process to an owner. */
async function attach({ scratch }: RunningGateway): Promise<Attached> {
  const unused = async () => {
    throw new Error('The benchmark is not attached.');
  };
  const shared = await SharedHost.open({
    vault: join(scratch, 'vault'),
    stateFolder: join(scratch, 'errand'),
    env: {},
    program: 'bench',
    version: '0',
    owns: 'never',
    notifier: { notify: () => undefined },
    secrets: { get: async () => undefined },
    trust: { mayStart: () => undefined, verdict: () => 'trusted' },
    hints: {
      observe: async () => undefined,
      hasChanged: () => false,
      changes: () => [],
      agree: async () => undefined,
      close: () => undefined,
    },
    approvalOf: () => 'ask',
    check: async () => undefined,
    realNotePath: () => undefined,
    onFault: (error) => console.error(error),
    log: { append: () => undefined },
    openHost: unused,
    refresh: unused,
  });
  const serverId = shared.servers.find('s0')?.id ?? '';
  const sessionId = 'bench';
  shared.sessions.setLimit(sessionId, -1);
  return {
    call: async () => {
      const outcome = await shared.execute({
        id: crypto.randomUUID(),
        serverId,
        toolName: 'echo',
        parameters: { text: 'hello' },
        source: 'command',
        sessionId,
      });
      if (outcome.status !== 'success') throw new Error(outcome.error.message);
    },
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  };
}

/** A script that keeps its process busy as typing in a large note does: 10 ms of every 50. */
function busyHook(): { readonly path: string } & Disposable {
  const path = join(tmpdir(), `errand-busy-${process.pid}.cjs`);
  writeFileSync(
    path,
    `setInterval(() => {
      const until = performance.now() + 10;
      while (performance.now() < until);
    }, 50).unref();`,
  );
  return { path, [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

function withHook(target: Target, hook: string): Target {
  return { ...target, start: (...args) => ['--require', hook, ...target.start(...args)] };
}
