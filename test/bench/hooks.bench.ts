import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { discoverServers, HookEngine, parseHooks } from '@errand/hooks';
import { systemClock } from '@errand/host';
import { createMemorySecretStore, createMemorySettingsStore } from '@errand/host/testing';
import { openVaultHost } from '@errand/machine/vault';
import { type RunningProgram, TestVault } from '../end-to-end/errand-process.ts';
import { WorkbenchPage } from '../end-to-end/workbench-page.ts';
import { type BenchRow, median } from './bench-row.ts';

const events = 20_000;
const saves = 7;
/** What changes sooner after a program has ended may be taken for its effect. */
const pauseMs = 100;
const servers = 20;
const tools = 50;

/** What hooks cost: an event that concerns none, the way from a save to its action, and looking for tools. */
export async function bench(): Promise<BenchRow[]> {
  return [await emitRow(), ...(await saveRows()), ...(await discoveryRows()), await pageRow()];
}

/** An event that none of 1,000 hooks waits for, beside an engine without hooks. */
async function emitRow(): Promise<BenchRow> {
  await using many = await openEngine(1_000);
  await using none = await openEngine(0);
  const p99 = { ours: percentile(emitTimes(many), 0.99), peer: percentile(emitTimes(none), 0.99) };
  const what = 'hooks: event without a matching hook among 1,000, processor time, p99';
  const row = { what, unit: 'ms', ...p99, peerName: 'no hooks' } as const;
  return { ...row, target: '<= 1 ms', pass: p99.ours <= 1 };
}

function emitTimes(engine: HookEngine): readonly number[] {
  const times: number[] = [];
  for (let count = 0; count < events; count += 1) {
    const path = `Projects/Deep/Folder/Note ${count}.md`;
    const fields = { filePath: path, file: { event: 'changed', path } };
    const event = { id: `file:${count}`, kind: 'file', at: count, fields } as const;
    // Processor time: on a busy machine a clock shows how long others were let in.
    const before = process.cpuUsage();
    void engine.emit(event);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return times;
}

/** An engine whose hooks wait for files and calls, none of which happen. */
async function openEngine(count: number): Promise<HookEngine> {
  const hooks = Array.from({ length: count }, (_, n) => ({
    id: `h${n}`,
    name: `Hook ${n}`,
    trigger: [
      { kind: 'file', events: ['changed'], glob: `Folder ${n}/**/*.md` },
      { kind: 'file', events: ['changed'], glob: `**/name-${n}.md` },
      { kind: 'call', tool: `tool ${n}` },
    ][n % 3],
    actions: [{ type: 'custom', parameters: { command: 'true' } }],
  }));
  const parsed = parseHooks(JSON.stringify({ version: 1, hooks }));
  const unused = () => {
    throw new Error('No hook runs in this benchmark.');
  };
  const runner = { run: unused, preview: unused, isRepeatable: unused };
  return HookEngine.open({
    store: { load: async () => parsed, watch: () => unused, save: unused },
    trust: { verdict: () => 'trusted' },
    sources: {},
    runners: { mcp: runner, agent: runner, git: runner, github: runner, custom: runner },
    context: { workspacePath: '/', git: async () => undefined },
    chains: { begin: unused },
    log: { append: unused, read: async () => [], find: async () => undefined, keepOutput: unused },
    records: { load: async () => ({}), save: async () => undefined },
    clock: systemClock,
    notifier: { notify: unused },
    onFault: (error) => console.error(error),
  });
}

/** From a save to the start of its action, and from the end of the action to the line that `errand up` writes about it. */
async function saveRows(): Promise<BenchRow[]> {
  using vault = new TestVault({});
  mkdirSync(vault.path('Inbox'));
  const mark = join(vault.home, 'mark');
  const program = ['sh', '-c', `echo > '${mark}'`];
  const on = ['--on', 'file', '--glob', 'Inbox/*.md', '--runs-per-hour', '1000'];
  await vault.errand('hooks', 'add', 'Save', ...on, '--', ...program);
  using up = vault.start('up', '--json');
  await up.says(/"event":"ready"/);
  await vault.errand('hooks');
  const started: number[] = [];
  const told: number[] = [];
  for (let count = 1; count <= saves; count += 1) {
    await sleep(pauseMs);
    const note = vault.path(`Inbox/${count}.md`);
    writeFileSync(note, 'text');
    const toldAt = await shownAt(up, count);
    const { mtimeMs } = statSync(mark);
    started.push(mtimeMs - statSync(note).mtimeMs);
    told.push(toldAt - mtimeMs);
  }
  up.child.kill('SIGTERM');
  await up.ended;
  const floor = await watchTimes(vault.path('Inbox'), mark, program);
  const toStart = { ours: median(started), peer: median(floor) };
  const toTold = { ours: median(told), peer: median(started) };
  return [
    {
      what: 'hooks: file saved to its action started',
      unit: 'ms',
      ...toStart,
      peerName: 'fs.watch and spawn',
      target: '<= 250 ms',
      pass: toStart.ours <= 250,
    },
    {
      what: 'hooks: action ended to its run shown',
      unit: 'ms',
      ...toTold,
      peerName: 'save to start',
      target: '<= 2000 ms',
      pass: toTold.ours <= 2_000,
    },
  ];
}

/** When so many runs have been shown, in milliseconds since 1970. */
async function shownAt(up: RunningProgram, count: number): Promise<number> {
  const shown = up.says(new RegExp(`("hook":"Save"[^\\n]*"status":"success"[\\s\\S]*){${count}}`));
  const isLate = sleep(30_000, true, { ref: false });
  if (await Promise.race([shown, isLate])) throw new Error('The hook did not run.');
  return Date.now();
}

/** The least that any program needs: told by the system, it starts the same program. */
async function watchTimes(
  folder: string,
  mark: string,
  [command = '', ...args]: readonly string[],
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < saves; count += 1) {
    rmSync(mark, { force: true });
    const note = join(folder, `floor ${count}.md`);
    const { promise, resolve } = Promise.withResolvers<void>();
    const watching = watch(folder, () => {
      watching.close();
      spawn(command, args).on('exit', () => resolve());
    });
    await sleep(20);
    writeFileSync(note, 'text');
    await promise;
    times.push(statSync(mark).mtimeMs - statSync(note).mtimeMs);
  }
  return times;
}

/** The tools of 20 servers that do not run yet, and the list of what is known. */
async function discoveryRows(): Promise<BenchRow[]> {
  using vault = new TestVault({});
  const names = Array.from({ length: tools }, (_, n) => `tool_${n}`);
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const listed = names.map((name) => ({ name, description: `Does ${name}.`, inputSchema }));
  const entries = Array.from({ length: servers }, (_, n) =>
    vault.scripted({ tools: listed }, { name: `s${n}` }),
  );
  vault.add(...entries);
  const floor = await startTime();
  await using opened = await openVaultHost({
    folder: vault.folder,
    version: '0',
    env: { PATH: process.env.PATH },
    settings: createMemorySettingsStore(vault.read('.errand/settings.json')),
    secrets: createMemorySecretStore(),
    notifier: { notify: () => undefined },
    trustAll: true,
  });
  const cold = await timeOf(async () => {
    const found = await discoverServers(opened.host);
    const count = found.reduce((sum, { tools: own }) => sum + own.length, 0);
    if (count < servers * tools) throw new Error(`Only ${count} tools were found.`);
  });
  const warm = await timeOf(() => discoverServers(opened.host));
  return [
    {
      what: 'hooks: discovery of 20 servers with 50 tools each',
      unit: 'ms',
      ours: cold,
      peer: floor,
      peerName: '20 processes of node',
      target: '<= 5000 ms',
      pass: cold <= 5_000,
    },
    {
      what: 'hooks: listing them',
      unit: 'ms',
      ours: warm,
      peer: cold,
      peerName: 'discovery',
      target: '<= 2000 ms',
      pass: warm <= 2_000,
    },
  ];
}

/** What a person does in the page, among 100 hooks: switch one, try it, ask why it did not run, look at a draft. */
async function pageRow(): Promise<BenchRow> {
  using vault = new TestVault({});
  const trigger = { kind: 'file', events: ['changed'], glob: 'Inbox/*.md' };
  const actions = [{ type: 'custom', parameters: { command: 'echo', args: ['{{ fileName }}'] } }];
  const hooks = Array.from({ length: 100 }, (_, n) => ({
    id: `h${n}`,
    name: `Hook ${n}`,
    trigger,
    actions,
  }));
  mkdirSync(vault.path('.errand'), { recursive: true });
  writeFileSync(vault.path('.errand/hooks.json'), JSON.stringify({ version: 1, hooks }));
  await vault.errand('trust', '--yes');
  using serve = vault.start('serve', '--port', '0', '--json');
  using page = await WorkbenchPage.open(serve);
  await page.get('/hooks');
  const floor: number[] = [];
  const times: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    const id = `h${count}`;
    floor.push(await timeOf(() => page.get('/hooks/entry/none/endpoint')));
    times.push(
      await timeOf(() => page.post(`/hooks/entry/${id}/enabled`, { enabled: false })),
      await timeOf(() => page.get(`/hooks/entry/${id}/test`)),
      await timeOf(() => page.get(`/hooks/entry/${id}/why`)),
      await timeOf(() => page.post('/hooks/preview', { draft: { name: 'New', trigger, actions } })),
    );
  }
  serve.child.kill('SIGTERM');
  await serve.ended;
  const ours = percentile(times, 0.95);
  return {
    what: 'hooks: an action in the page answered, among 100 hooks, p95',
    unit: 'ms',
    ours,
    peer: median(floor),
    peerName: 'a request that finds nothing',
    target: '<= 200 ms',
    pass: ours <= 200,
  };
}

/** The time that as many programs need which do nothing. */
function startTime(): Promise<number> {
  const start = () =>
    new Promise((resolve) => {
      spawn(process.execPath, ['-e', '']).on('exit', resolve);
    });
  return timeOf(() => Promise.all(Array.from({ length: servers }, start)));
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;
}
