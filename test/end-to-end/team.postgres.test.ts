import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readJournal } from '@errand/machine/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const database = process.env.ERRAND_TEST_POSTGRES ?? '';
const newSpace = () => `team_${randomUUID().slice(0, 8)}`;

test(
  'runs of hooks go on in a worker on another machine when the program that began them is killed, and none acts twice',
  patient,
  async () => {
    const shared = ['--database', database, '--space', newSpace()];
    using here = await TestVault.agreed();
    here.env.MCP_MAX_CONCURRENT_ACTIONS = '2';
    const tools = ['hang', 'hang', 'echo', 'echo', 'echo'];
    writeHooks(here, tools);
    await here.errand('trust', '--yes');
    // The same settings and hooks, on a machine with a home of its own.
    using there = await TestVault.agreed();
    copyFileSync(here.path('.errand/hooks.json'), there.path('.errand/hooks.json'));
    await there.errand('trust', '--yes');
    using up = here.start('up', ...shared, '--json');
    await up.says(/"state":"connected"/);
    await here.errand('hooks', 'emit', 'mail', 'mail.event=received');
    await expect.poll(() => calls(here), { timeout: 60_000 }).toEqual(['hang', 'hang']);
    // They wait for the two that hang.
    await here.errand('hooks', 'emit', 'mail', 'mail.event=sent');
    await using collector = await collect();
    there.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    using worker = there.start('worker', ...shared, '--port', '0', '--json');
    await worker.says(/"event":"ready"/);
    const { url } = JSON.parse(/\{"event":"ready".*\}/.exec(worker.stdout)?.[0] ?? '');
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ status: 'ready' });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    up.child.kill('SIGKILL');
    await once(up.child, 'exit');
    await worker.says(/A run of the hook \\"Hook 0\\" was cut off/);
    await expect
      .poll(async () => states(await there.json('jobs', ...shared)), { timeout: 60_000 })
      .toEqual(['done', 'done', 'done', 'failed', 'failed']);
    expect(calls(there)).toEqual(['echo', 'echo', 'echo']);
    expect(calls(here)).toEqual(['hang', 'hang']);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/errand_jobs_total\{.*flow="hook".*state="done".*\} 3/);
    expect(metrics).toMatch(
      /errand_calls_total\{.*server="fix".*tool="echo".*status="success".*\} 3/,
    );
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(collector.received('/v1/traces')).toContain('job hook');
    expect(collector.received('/v1/traces')).toContain('tools/call echo');
    expect(collector.received('/v1/metrics')).toContain('errand_call_duration');
  },
);

test(
  'jobs are moved from a file to a database, where they go on; a worker that leaves hands on what waits',
  patient,
  async () => {
    const shared = ['--database', database, '--space', newSpace()];
    using vault = await TestVault.agreed();
    vault.env.MCP_MAX_CONCURRENT_ACTIONS = '1';
    writeHooks(vault, ['hang', 'echo']);
    await vault.errand('trust', '--yes');
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    await vault.errand('hooks', 'emit', 'mail', 'mail.event=received');
    await expect.poll(() => calls(vault), { timeout: 60_000 }).toEqual(['hang']);
    await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent');
    expect(await vault.json('jobs', 'move', ...shared)).toMatchObject({
      code: 2,
      json: { error: { message: expect.stringContaining('End the program that owns the vault') } },
    });
    up.child.kill('SIGKILL');
    await once(up.child, 'exit');
    expect((await vault.json('jobs', 'move', ...shared)).json).toMatchObject({
      jobs: 2,
      unfinished: 2,
    });
    expect((await vault.json('jobs', 'move', ...shared)).json).toMatchObject({
      error: { message: 'This vault has no jobs in a file: they were moved before.' },
    });
    using worker = vault.start('worker', ...shared, '--json');
    await expect
      .poll(async () => states(await vault.json('jobs', ...shared)), { timeout: 60_000 })
      .toEqual(['done', 'failed']);
    expect(calls(vault)).toEqual(['hang', 'echo']);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
  },
);

test('a worker says what is wrong before anything starts', patient, async () => {
  using vault = new TestVault({});
  expect((await vault.errand('worker', '--check')).stderr).toContain('--database postgres://');
  expect(await vault.json('worker', '--check', '--database', database)).toMatchObject({
    code: 0,
    json: { isFine: true },
  });
  const down = ['--database', 'postgres://127.0.0.1:1/errand'];
  expect(await vault.errand('worker', '--check', ...down)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /^WRONG +database +The database does not answer: .*Check that PostgreSQL runs/,
    ),
  });
  expect(await vault.errand('worker', ...down)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Check that PostgreSQL runs'),
  });
  const { code, stderr } = await vault.errand('worker', '--queues', 'males', '--check');
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There are: hooks'),
  });
});

test(
  'a refused database ends a worker with a reason, and is waited for by errand up, which says so, until it is mended',
  patient,
  async () => {
    const role = `up_${randomUUID().slice(0, 8)}`;
    await sql(`CREATE ROLE ${role} NOLOGIN`);
    const refused = new URL(database);
    refused.username = role;
    const shared = ['--database', refused.href, '--space', newSpace()];
    using vault = await TestVault.agreed();
    writeHooks(vault, ['echo']);
    await vault.errand('trust', '--yes');
    expect(await vault.errand('worker', ...shared)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/The database refused the login: .*Check the user/s),
    });
    using up = vault.start('up', ...shared, '--json');
    await up.says(/Jobs wait.*The database refused the login.*Check the user, the password/);
    // Whoever asks for hooks is told why there are none, and does not wait for the database.
    expect(await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The database refused the login'),
    });
    await sql(`ALTER ROLE ${role} LOGIN`);
    await up.says(/Jobs wait.*The database does not allow it.*GRANT CREATE ON DATABASE/);
    await sql(`GRANT CREATE ON DATABASE ${refused.pathname.slice(1)} TO ${role}`);
    await up.says(/The database answers/);
    await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent');
    await expect.poll(() => calls(vault), { timeout: 60_000 }).toEqual(['echo']);
  },
);

/** Takes what is sent by OTLP over HTTP. */
async function collect() {
  const bodies = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    bodies.set(path, `${bodies.get(path) ?? ''}${await text(request)}`);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (path: string) => bodies.get(path) ?? '',
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

function writeHooks(vault: TestVault, tools: readonly string[]): void {
  const greeting = { toolParam: 'text', source: 'literal', value: 'hi' };
  const hooks = tools.map((toolName, index) => {
    const parameterMappings = toolName === 'echo' ? [greeting] : [];
    const parameters = { serverId: 'fix', toolName, parameterMappings };
    const trigger = { kind: 'mail', events: [toolName === 'hang' ? 'received' : 'sent'] };
    return {
      id: `h${index}`,
      name: `Hook ${index}`,
      trigger,
      actions: [{ type: 'mcp', parameters }],
    };
  });
  writeFileSync(vault.path('.errand/hooks.json'), JSON.stringify({ version: 1, hooks }));
}

function calls(vault: TestVault): readonly (string | undefined)[] {
  return readJournal(vault.journal).flatMap(({ kind, tool }) => (kind === 'call' ? [tool] : []));
}

async function sql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(text);
  await client.end();
}

function states({ json }: { readonly json: unknown }): readonly string[] {
  return (json as { jobs: { state: string }[] }).jobs.map(({ state }) => state).toSorted();
}
