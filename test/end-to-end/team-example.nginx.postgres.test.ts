import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { patient, type RunningProgram, TestVault } from './errand-process.ts';
import { newDatabase } from './new-database.ts';
import { Nginx } from './nginx.ts';

const folder = join(import.meta.dirname, '../../examples/team');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const gateways = ['gateway-1', 'gateway-2'];
const workers = ['worker-1', 'worker-2'];

test(
  'the example for a team runs behind nginx: no call fails while its gateways are restarted one after the other, and when one is killed only what it was doing',
  patient,
  async () => {
    const env = { ERRAND_DATABASE: await newDatabase('example'), ERRAND_SPACE: 'team' };
    await using team = new Team({ ...env, ERRAND_TRUST: '1' });
    await Promise.all([...gateways, ...workers].map((name) => team.start(name)));
    await using nginx = new Nginx();
    const site = (down?: string) => siteOf(read('nginx/gateways.conf'), team, down);
    expect(nginx.check(site())).toBe('');
    await nginx.start(site(), { host: team.address('balancer'), port: 8080 });
    const token = await team.addClient('me');
    const call = (tool: string) => callTool(team.address('balancer'), token, tool);
    await expect.poll(async () => (await call('echo')).status).toBe(200);

    const failures: unknown[] = [];
    let served = 0;
    const stop = new AbortController();
    const load = Array.from({ length: 3 }, async () => {
      while (!stop.signal.aborted) {
        const { status, body } = await call('echo');
        if (status === 200 && body.includes('hello')) served += 1;
        else failures.push({ status, body });
      }
    });
    for (const name of gateways) {
      await nginx.reload(site(name));
      await team.end(name);
      await team.start(name);
      await nginx.reload(site());
      const before = served;
      await expect.poll(() => served).toBeGreaterThan(before);
    }
    stop.abort();
    await Promise.all(load);
    expect([failures, nginx.log()]).toEqual([[], '']);

    const hanging = call('hang');
    const holders = () => gateways.filter((name) => team.hasCalled(name, 'hang'));
    await expect.poll(holders).toHaveLength(1);
    await team.kill(holders()[0] ?? '');
    expect((await hanging).status).toBe(502);
    for (let count = 0; count < 20; count += 1) {
      expect(await call('echo')).toMatchObject({ status: 200 });
    }
    // It may have acted before it died, so it is not asked of the other one.
    expect(holders()).toHaveLength(1);
    for (const worker of workers) {
      const response = await fetch(`http://${team.address(worker)}:9090/ready`);
      expect(await response.json()).toMatchObject({ status: 'ready', space: 'team' });
    }
  },
);

test('the compose file of the example names what there is', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose;
  expect(Object.keys(services)).toEqual(['database', ...gateways, ...workers, 'balancer']);
  for (const name of [...gateways, ...workers]) {
    const service = services[name] ?? {};
    expect(service).toMatchObject({ image: 'errand', depends_on: { database: {} } });
    const { ERRAND_DATABASE: url = '' } = service.environment ?? {};
    expect(new URL(url.replace(/\$\{.*?\}/, 'x')).hostname).toBe('database');
    // Longer than gateways and workers need to leave.
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(25);
  }
  const known = new Set([
    ...['image', 'restart', 'environment', 'volumes', 'stop_grace_period', 'depends_on'],
    ...['command', 'ports', 'healthcheck'],
  ]);
  for (const [name, service] of Object.entries(services)) {
    expect([name, Object.keys(service).filter((key) => !known.has(key))]).toEqual([name, []]);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./'))
        expect([source, existsSync(join(folder, source))]).toEqual([source, true]);
      else expect(Object.keys(volumes)).toContain(source);
    }
    for (const needed of Object.keys(needsOf(service))) expect(services).toHaveProperty(needed);
  }
  expect(services.balancer?.ports).toEqual(['8080:8080']);
  expect(read('nginx/gateways.conf')).toContain('listen 8080;');
});

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}

function needsOf({ depends_on = {} }: Service): Readonly<Record<string, unknown>> {
  return Array.isArray(depends_on)
    ? Object.fromEntries(depends_on.map((name) => [name, {}]))
    : (depends_on as Readonly<Record<string, unknown>>);
}

/** The configuration of the example with addresses in place of names, and one gateway out of service. */
function siteOf(conf: string, team: Team, down?: string): string {
  const named = conf.replaceAll(/server (gateway-\d):3333([^;]*);/g, (_, name, rest) => {
    const isDown = name === down ? ' down' : '';
    return `server ${team.address(name)}:3333${rest}${isDown};`;
  });
  expect(named.match(/127\.[\d.]+:3333/g)).toHaveLength(gateways.length);
  return named.replace('listen 8080;', `listen ${team.address('balancer')}:8080;`);
}

/** The programs of the example, each on a machine of its own: Linux has many addresses that mean this machine. */
class Team implements AsyncDisposable {
  readonly #net = `127.${randomInt(20, 250)}.${randomInt(1, 250)}`;
  readonly #env: Readonly<Record<string, string>>;
  readonly #services = (parse(read('compose.yaml'), { merge: true }) as Compose).services;
  readonly #vaults = new Map<string, TestVault>();
  readonly #running = new Map<string, RunningProgram>();

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  address(name: string): string {
    return `${this.#net}.${Object.keys(this.#services).indexOf(name) + 1}`;
  }

  async start(name: string): Promise<void> {
    const vault = this.#vault(name);
    const args = (this.#services[name]?.command ?? []).map((arg, index, all) => {
      if (all[index - 1] === '--vault') return vault.folder;
      return all[index - 1] === '--host' ? this.address(name) : arg;
    });
    const program = vault.start(...args, '--json');
    this.#running.set(name, program);
    await program.says(/"url":/);
  }

  async end(name: string): Promise<void> {
    const program = this.#running.get(name);
    program?.child.kill('SIGTERM');
    expect((await program?.ended)?.code).toBe(0);
  }

  async kill(name: string): Promise<void> {
    const program = this.#running.get(name);
    program?.child.kill('SIGKILL');
    await program?.ended;
  }

  hasCalled(name: string, tool: string): boolean {
    return readJournal(this.#vault(name).journal).some((line) => line.tool === tool);
  }

  async addClient(name: string): Promise<string> {
    const { json } = await this.#vault('gateway-1').json('gateway', 'clients', 'add', name);
    return (json as { token: string }).token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#running.values()) program[Symbol.dispose]();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    for (const vault of this.#vaults.values()) vault[Symbol.dispose]();
  }

  #vault(name: string): TestVault {
    const vault = this.#vaults.get(name) ?? new TestVault({});
    if (!this.#vaults.has(name)) vault.add(vault.scripted());
    Object.assign(vault.env, this.#env);
    this.#vaults.set(name, vault);
    return vault;
  }
}

async function callTool(hostname: string, token: string, tool: string) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = `fix__${tool}`;
  const params = { name, arguments: tool === 'echo' ? { text: 'hello' } : {}, _meta: meta };
  const sent = request({
    hostname,
    // nginx closes idle connections when it is reloaded, also one that is about to be used again.
    agent: false,
    port: 8080,
    path: '/mcp',
    method: 'POST',
    signal: AbortSignal.timeout(60_000),
    headers: {
      // On one machine a gateway is asked by a name that means this machine.
      host: 'localhost',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  });
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response).catch(String) });
    });
  });
}
