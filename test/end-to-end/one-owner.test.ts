import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { journalled, readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { eventually, patient, TestVault } from './errand-process.ts';
import { gone } from './process-state.ts';
import { WorkbenchPage } from './workbench-page.ts';

const note = '# A\n\n```fix\ntool: echo\ntext: hello\n```\n';

test(
  'three programs use one process of a server, and the page shows the calls of the others live',
  patient,
  async () => {
    using vault = await TestVault.agreed({}, { notes: { 'Note.md': note } });
    using serve = vault.start('serve', '--port', '0', '--json');
    using page = await WorkbenchPage.open(serve);
    using hanging = vault.start('call', 'fix', 'hang', '--json');
    const call = { server: 'fix', tool: 'hang', source: 'command' };
    await page.sees({ kind: 'call-changed', call: { ...call, status: 'executing' } }, eventually());
    const [run, called] = await Promise.all([
      vault.json('run', 'Note.md'),
      vault.errand('call', 'fix', 'echo', 'text=again'),
    ]);
    expect(run).toMatchObject({ code: 0, json: { results: [{ status: 'success' }] } });
    expect(called).toMatchObject({ code: 0, stdout: 'again\n' });
    const echo = { server: 'fix', tool: 'echo', status: 'success' };
    const fromNote = { ...echo, source: 'user-codeblock', note: 'Note.md' };
    await page.sees({ kind: 'call-ended', call: fromNote }, eventually());
    await page.sees({ kind: 'call-ended', call: { ...echo, source: 'command' } }, eventually());
    hanging.child.kill('SIGINT');
    expect((await hanging.ended).code).toBe(130);
    await page.sees({ kind: 'call-ended', call: { ...call, status: 'cancelled' } }, eventually());
    const pids = startedPids(vault);
    expect(pids).toHaveLength(1);
    serve.child.kill('SIGTERM');
    expect((await serve.ended).code).toBe(0);
    await gone(pids[0] ?? 0, 10_000);
  },
);

test(
  'stopping in one program stops the calls of all, until any of them resumes',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    using serve = vault.start('serve', '--port', '0', '--json');
    using page = await WorkbenchPage.open(serve);
    expect(await vault.json('status')).toMatchObject({
      json: { owner: { program: 'up' }, attached: [{ program: 'serve', pid: serve.child.pid }] },
    });
    using hanging = vault.start('call', 'fix', 'hang', '--json');
    await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());

    await page.post('/calls/stop');
    expect(JSON.parse((await hanging.ended).stdout)).toMatchObject({ error: { code: 'stopped' } });
    await up.says(/"event":"calls","at":"[^"]+","stopped":true/);
    const echo = ['call', 'fix', 'echo', 'text=hello'] as const;
    expect((await vault.json(...echo)).json).toMatchObject({ error: { code: 'stopped' } });

    expect((await vault.errand('resume')).code).toBe(0);
    await page.sees({ kind: 'calls-stopped', isStopped: false }, eventually());
    expect((await vault.errand(...echo)).stdout).toBe('hello\n');

    expect((await vault.errand('stop')).code).toBe(0);
    await page.sees({ kind: 'calls-stopped', isStopped: true }, eventually());
    await page.post('/calls/resume');
    await up.says(/"stopped":true.*"stopped":false.*"stopped":true.*"stopped":false/s);
    expect((await vault.errand(...echo)).stdout).toBe('hello\n');
    expect(startedPids(vault)).toHaveLength(1);

    for (const program of [serve, up]) {
      program.child.kill('SIGTERM');
      expect((await program.ended).code).toBe(0);
    }
  },
);

test(
  'a run of the command line is a session of its own, and ends with the command',
  patient,
  async () => {
    using vault = await TestVault.agreed({}, { notes: { 'Note.md': note } });
    using serve = vault.start('serve', '--port', '0', '--json');
    using page = await WorkbenchPage.open(serve);
    await page.post('/note/run?path=Note.md');
    const ofNote = { id: 'note:Note.md', executed: 1 };
    await page.sees({ kind: 'session-changed', session: ofNote }, eventually());
    expect((await vault.errand('run', 'Note.md')).code).toBe(0);
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).code).toBe(0);
    const echoes = readJournal(vault.journal).filter(({ tool }) => tool === 'echo');
    expect(echoes).toHaveLength(3);
    expect((await vault.json('status')).json).toMatchObject({ sessions: [ofNote] });
    serve.child.kill('SIGTERM');
    await serve.ended;
  },
);

test.concurrent(
  'one-shot commands never own a vault, and with --trust they share nothing',
  patient,
  async () => {
    using vault = new TestVault({});
    vault.add(vault.scripted());
    using alone = vault.start('call', 'fix', 'hang', '--trust');
    await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
    expect((await vault.json('status')).json).toMatchObject({ owner: null });

    using up = vault.start('up', '--json');
    await up.says(/need approval and were not started/);
    expect(await vault.errand('call', 'fix', 'echo', 'text=hello')).toMatchObject({ code: 2 });
    expect(await vault.errand('call', 'fix', 'echo', 'text=hello', '--trust')).toMatchObject({
      code: 0,
      stdout: 'hello\n',
    });
    expect((await vault.json('status')).json).toMatchObject({
      attached: [],
      servers: [{ connectionState: 'error', problem: { code: 'untrusted' } }],
    });
    expect(startedPids(vault)).toHaveLength(2);

    await vault.errand('trust', '--yes');
    await up.says(/"state":"connected"/);
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).stdout).toBe('hello\n');
    expect(startedPids(vault)).toHaveLength(3);
    for (const { child } of [alone, up]) child.kill('SIGTERM');
    await Promise.all([alone.ended, up.ended]);
    await Promise.all(startedPids(vault).map((pid) => gone(pid, 10_000)));
  },
);

// The pauses between the tries of a server take 21 s: the tests beside it run meanwhile.
test.concurrent(
  'a vault under git has no changes after use, also when a server was given up',
  patient,
  async () => {
    using vault = new TestVault({ notes: { 'Note.md': note } });
    vault.add(
      vault.scripted(),
      vault.scripted({ onStart: 'exit' }, { id: 'broken', name: 'broken' }),
    );
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { cwd: vault.folder, env: vault.env, encoding: 'utf8' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=me', '-c', 'user.email=me@example.org', 'commit', '-qm', 'start');
    await vault.errand('trust', '--yes');
    using serve = vault.start('serve', '--port', '0', '--json');
    using page = await WorkbenchPage.open(serve);
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).code).toBe(0);
    expect((await vault.errand('run', 'Note.md', '--dry-run')).code).toBe(0);
    const server = { name: 'broken', autoDisabled: true };
    await page.sees({ kind: 'server-changed', server }, eventually());
    serve.child.kill('SIGTERM');
    await serve.ended;
    expect((await vault.json('servers', '--offline')).json).toMatchObject({
      servers: expect.arrayContaining([expect.objectContaining(server)]),
    });
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).code).toBe(0);
    expect(readdirSync(join(vault.folder, '.errand/log'))).not.toEqual([]);
    expect(git('status', '--porcelain')).toBe('');
  },
);

test.concurrent(
  'servers are added, changed, disabled and removed from a terminal while another program owns the vault',
  patient,
  async ({ expect }) => {
    using vault = new TestVault({});
    using up = vault.start('up', '--json');
    await up.says(/"event":"ready"/);
    const { localConfig } = vault.scripted();
    const command = ['--', localConfig?.command ?? '', ...(localConfig?.args ?? [])];
    const state = async () => {
      const { json } = await vault.json('status');
      const { servers } = json as { servers: readonly Record<string, unknown>[] };
      return servers.map(({ name, enabled, connectionState }) => [name, enabled, connectionState]);
    };
    const until = (expected: unknown) => expect.poll(state, { timeout: 20_000 }).toEqual(expected);
    const echo = (name: string) => vault.errand('call', name, 'echo', 'text=hello');

    expect(await vault.errand('servers', 'add', 'late', ...command)).toMatchObject({ code: 0 });
    await until([['late', true, 'connected']]);
    expect((await echo('late')).stdout).toBe('hello\n');
    expect((await vault.errand('tools', 'late')).stdout).toContain('echo');
    expect((await vault.errand('servers', 'test', 'late')).code).toBe(0);

    expect((await vault.errand('servers', 'disable', 'late')).code).toBe(0);
    expect((await echo('late')).stderr).toContain('is disabled');
    await until([['late', false, 'disconnected']]);
    expect((await vault.errand('servers', 'enable', 'late')).code).toBe(0);
    expect((await echo('late')).stdout).toBe('hello\n');

    const secret = ['--env', `KEY=$\{secret:key}`];
    expect((await vault.errand('servers', 'edit', 'late', ...secret)).code).toBe(2);
    expect((await echo('late')).code).toBe(2);
    const setting = vault.start('secrets', 'set', 'key');
    setting.type('value\n');
    setting.child.stdin?.end();
    expect((await setting.ended).code).toBe(0);
    expect((await echo('late')).stdout).toBe('hello\n');

    expect((await vault.errand('servers', 'edit', 'late', '--rename', 'later')).code).toBe(0);
    expect((await echo('later')).stdout).toBe('hello\n');
    expect((await vault.errand('servers', 'remove', 'later')).code).toBe(0);
    expect((await echo('later')).stderr).toContain('There is no server "later"');
    await until([]);
    await Promise.all(startedPids(vault).map((pid) => gone(pid, 10_000)));
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
  },
);

function startedPids(vault: TestVault): readonly number[] {
  return readJournal(vault.journal).flatMap(({ kind, pid }) => (kind === 'started' ? [pid] : []));
}
