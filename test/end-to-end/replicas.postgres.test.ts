import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, type RunningProgram, TestVault } from './errand-process.ts';
import { newDatabase } from './new-database.ts';

test(
  'replicas share sessions, clients with their scopes, limits and the stop switch, and go on when one is killed',
  patient,
  async () => {
    const database = ['--database', await newDatabase('replicas')];
    using here = await TestVault.agreed();
    using there = await TestVault.agreed();
    using first = replica(here, database);
    using second = replica(there, database);
    const urls = await Promise.all([first, second].map(urlOf));
    const [a = '', b = ''] = urls;
    const token = await addClient(here, 'team', database);
    const [one, other] = [new Client(token), new Client(await addClient(here, 'other', database))];

    // A session that began at one replica goes on at the other, for its own client only.
    await expect.poll(() => one.initialize(a)).toBe(200);
    await expect
      .poll(() => one.call(b, 'echo', { text: 'over there' }))
      .toMatchObject({ result: { content: [{ text: 'over there' }] } });
    await expect.poll(() => other.initialize(b)).toBe(200);
    expect(await other.withSession(one.session).status(a)).toBe(404);
    expect(await new Client('egw_wrong').initialize(a)).toBe(401);
    expect((await fetch(`${a.replace('/mcp', '')}/ready`)).status).toBe(200);

    // A client sees and calls what it may.
    const limited = new Client(
      await addClient(here, 'limited', database, '--tools', 'fix__echo', '--calls', '5/day'),
    );
    await expect.poll(() => limited.initialize(a)).toBe(200);
    await expect.poll(() => limited.status(b)).toBe(200);
    const { result } = await limited.post(b, 'tools/list');
    expect((result as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      'fix__echo',
    ]);
    expect(await limited.call(a, 'hang')).toMatchObject({ error: { code: -32602 } });
    // Five calls over both replicas, and no sixth.
    for (const url of [a, b, a, b, a]) {
      expect(await limited.call(url, 'echo', { text: 'x' })).toMatchObject({
        result: { content: [{ text: 'x' }] },
      });
    }
    for (const url of urls) {
      expect(await limited.call(url, 'echo', { text: 'x' })).toMatchObject({
        result: { isError: true, _meta: { 'errand/code': 'session_limit' } },
      });
    }

    // A stop at one replica stops all.
    await here.errand('stop');
    const code = async (url: string) =>
      ((await one.call(url, 'echo', { text: 'x' })).result as { _meta?: Record<string, string> })
        ._meta?.['errand/code'];
    await expect.poll(() => code(b)).toBe('stopped');
    await here.errand('resume');
    await expect.poll(() => code(b)).toBe(undefined);

    // Killed in the middle of a call: that call fails, and the session goes on at the other one.
    const hanging = one.call(a, 'hang').catch((error: unknown) => error);
    await expect
      .poll(() => readJournal(here.journal).some(({ tool }) => tool === 'hang'))
      .toBe(true);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await hanging).toBeInstanceOf(Error);
    expect(await code(b)).toBe(undefined);

    // What is ended or removed stays so, at every replica.
    expect(await one.end(b)).toBe(204);
    expect(await one.status(b)).toBe(404);
    using third = replica(here, database);
    const c = await urlOf(third);
    expect(await one.status(c)).toBe(404);
    await here.errand('gateway', 'clients', 'remove', 'other', ...database);
    // A new token brings no new rights.
    await addClient(here, 'limited', database);
    await expect.poll(() => other.status(c)).toBe(401);
    expect((await here.json('gateway', 'clients', ...database)).json).toMatchObject({
      clients: [{ name: 'team' }, { name: 'limited', tools: ['fix__echo'], limit: { calls: 5 } }],
    });
    for (const program of [second, third]) program.child.kill('SIGTERM');
    expect(await Promise.all([second.ended, third.ended])).toMatchObject([
      { code: 0 },
      { code: 0 },
    ]);
  },
);

test(
  'an owner whose database refuses the login says so, and does not call it a defect',
  patient,
  async () => {
    const refusing = new URL(process.env.ERRAND_TEST_POSTGRES ?? '');
    refusing.pathname = '/no_such_database';
    using vault = await TestVault.agreed();
    using up = vault.start('up', '--database', refusing.href, '--space', 'team');
    await up.says(/Jobs wait.*The database refused the login/s);
    expect(up.stderr + up.stdout).not.toContain('defect');
  },
);

test('a replica says what is wrong with its database', patient, async () => {
  using vault = new TestVault({});
  expect(await vault.errand('gateway', '--replica')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--database postgres://'),
  });
  const down = ['--database', 'postgres://127.0.0.1:1/errand'];
  expect(await vault.errand('gateway', '--replica', ...down)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Check that PostgreSQL runs'),
  });
});

function replica(vault: TestVault, database: readonly string[]): RunningProgram {
  return vault.start('gateway', '--replica', ...database, '--port', '0', '--json');
}

async function urlOf(program: RunningProgram): Promise<string> {
  await program.says(/"url":/);
  return (JSON.parse(program.stdout.split('\n')[0] ?? '') as { url: string }).url;
}

async function addClient(
  vault: TestVault,
  name: string,
  database: readonly string[],
  ...more: string[]
) {
  const { json } = await vault.json('gateway', 'clients', 'add', name, ...database, ...more);
  return (json as { token: string }).token;
}

interface Message {
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** A client of the older era, which has a session. */
class Client {
  readonly #token: string;
  session: string;

  constructor(token: string, session = '') {
    this.#token = token;
    this.session = session;
  }

  withSession(session: string): Client {
    return new Client(this.#token, session);
  }

  async initialize(url: string): Promise<number> {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await this.#send(url, 'POST', { id: 1, method: 'initialize', params });
    this.session = response.headers.get('mcp-session-id') ?? '';
    return response.status;
  }

  async post(url: string, method: string, params: object = {}): Promise<Message> {
    const response = await this.#send(url, 'POST', { id: 2, method, params });
    return (await response.json()) as Message;
  }

  call(url: string, tool: string, parameters: object = {}): Promise<Message> {
    return this.post(url, 'tools/call', { name: `fix__${tool}`, arguments: parameters });
  }

  async status(url: string): Promise<number> {
    return (await this.#send(url, 'POST', { id: 3, method: 'ping' })).status;
  }

  async end(url: string): Promise<number> {
    return (await this.#send(url, 'DELETE')).status;
  }

  #send(url: string, method: string, message?: object): Promise<Response> {
    return fetch(url, {
      method,
      signal: AbortSignal.timeout(15_000),
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        ...(this.session && { 'mcp-session-id': this.session }),
      },
      ...(message && { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
    });
  }
}
