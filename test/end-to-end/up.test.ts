import { mkdirSync } from 'node:fs';
import { journalled, readJournal, soon } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { eventually, patient, RunningProgram, TestVault } from './errand-process.ts';
import { gone } from './process-state.ts';

test('errand up runs the servers until it is stopped, and others use them', patient, async () => {
  using vault = await TestVault.agreed({ stderr: 'one\ntwo\n' });
  using up = vault.start('up');
  await up.says(/Server fix is connected, with \d+ tools\./);
  expect(await vault.errand('servers', 'log', 'fix')).toMatchObject({ stdout: 'one\ntwo\n' });
  expect((await vault.json('servers', 'log', 'fix', '--lines', '1')).json).toEqual({
    name: 'fix',
    connectionState: 'connected',
    output: 'two',
  });
  const known = (await vault.json('servers', 'show', 'fix')).json;
  expect(known).toMatchObject({ toolNames: expect.arrayContaining(['echo']) });
  const { code, stdout } = await vault.errand('call', 'fix', 'echo', 'text=hello');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'hello\n' });
  await up.says(/command \S+ \(process \d+\) attached\..*fix echo done after .* left\./s);
  const [started, ...more] = readJournal(vault.journal).filter(({ kind }) => kind === 'started');
  expect(more).toEqual([]);
  up.child.kill('SIGTERM');
  expect(await up.ended).toMatchObject({ code: 0, stdout: '' });
  await gone(started?.pid ?? 0, 10_000);
});

test('errand up --json prints every event as one line', patient, async () => {
  using vault = await TestVault.agreed();
  using up = vault.start('up', '--json');
  await up.says(/"state":"connected"/);
  await vault.errand('call', 'fix', 'echo', 'text=hello');
  await up.says(/"state":"left"/);
  await vault.errand('stop');
  await up.says(/"event":"calls"/);
  up.child.kill('SIGINT');
  expect(await up.ended).toMatchObject({ code: 0, stderr: '' });
  const events = eventsOf(up);
  for (const { at } of events) expect(at).toBe(new Date(String(at)).toISOString());
  const { pid } = up.child;
  expect(events[0]).toMatchObject({ event: 'ready', vault: vault.folder, program: 'up', pid });
  const call = { event: 'call', server: 'fix', tool: 'echo', source: 'command', note: null };
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'server', name: 'fix', state: 'connecting' }),
      expect.objectContaining({ event: 'server', name: 'fix', state: 'connected', problem: null }),
      expect.objectContaining({ event: 'face', state: 'attached', program: 'command' }),
      expect.objectContaining({ ...call, state: 'started' }),
      expect.objectContaining({ ...call, state: 'finished', status: 'success', error: null }),
      expect.objectContaining({ event: 'calls', stopped: true }),
    ]),
  );
});

// The pauses between the tries of a server take 21 s: the next tests run meanwhile.
test.concurrent(
  'errand up reports a server that is lost, retried and given up',
  patient,
  async () => {
    using vault = await TestVault.agreed({ onRestart: 'exit' });
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    const { pid } = await journalled(vault.journal, ({ kind }) => kind === 'started', soon());
    process.kill(pid, 'SIGKILL');
    await up.says(/"state":"given-up"/);
    const states = eventsOf(up).flatMap(({ event, state }) => (event === 'server' ? [state] : []));
    expect([...new Set(states)]).toEqual(['connecting', 'connected', 'retrying', 'given-up']);
    const notices = eventsOf(up).flatMap(({ event, message }) =>
      event === 'notice' ? [message] : [],
    );
    expect(notices).toEqual([
      'MCP server fix disconnected, retrying...',
      'MCP server fix auto-disabled after 3 failures',
    ]);
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
  },
);

test.concurrent(
  'errand up that was stopped for a while waits for its turn, and owns the vault again',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    using serve = vault.start('serve', '--port', '0', '--json');
    await serve.says(/"url"/);
    up.child.kill('SIGSTOP');
    await owned(vault, 'serve');
    up.child.kill('SIGCONT');
    await up.says(/"event":"owner","at":"[^"]+","isOwner":false/);
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).stdout).toBe('hello\n');
    serve.child.kill('SIGTERM');
    expect((await serve.ended).code).toBe(0);
    await up.says(/"isOwner":false.*"isOwner":true/s);
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).stdout).toBe('hello\n');
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
    const started = readJournal(vault.journal).filter(({ kind }) => kind === 'started');
    await Promise.all(started.map(({ pid }) => gone(pid, 10_000)));
  },
);

test.concurrent.each(['up', 'serve --port 0', 'gateway --port 0'])(
  'errand up refuses a vault that errand %s owns, and says which process that is',
  patient,
  async (line) => {
    using vault = await TestVault.agreed();
    const [program = ''] = line.split(' ');
    using owner = vault.start(...line.split(' '));
    await owned(vault, program);
    const second = await vault.errand('up');
    expect(second).toMatchObject({ code: 3, stdout: '' });
    expect(second.stderr).toMatch(
      new RegExp(`owned by ${program} \\S+ \\(process ${owner.child.pid}\\)`),
    );
    const { json } = await vault.json('up');
    expect(json).toMatchObject({ error: { code: 'vault_owned' } });
    owner.child.kill('SIGTERM');
    await owner.ended;
  },
);

test(
  'a printed service starts errand up for its vault, wherever it is started',
  patient,
  async () => {
    using vault = new TestVault({});
    const folder = vault.path('my "notes" & 50% é');
    mkdirSync(`${folder}/.errand`, { recursive: true });
    const printed = await vault.errand('up', '--vault', folder, '--print-service', 'launchd');
    expect(printed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('launchctl bootstrap'),
    });
    const texts = [...printed.stdout.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text = '']) =>
      text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
    );
    const [command = '', ...args] = texts.slice(1, 6);
    expect(args.slice(1)).toEqual(['up', '--vault', folder]);
    const env = { HOME: vault.home, XDG_STATE_HOME: vault.env.XDG_STATE_HOME };
    expect(texts).toContain(env.XDG_STATE_HOME);
    using up = new RunningProgram(command, args, { folder: '/', env });
    await up.says(/run until this program is stopped/);
    expect(await vault.json('status', '--vault', folder)).toMatchObject({
      json: { vault: folder, owner: { program: 'up', pid: up.child.pid } },
    });
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
    const { json } = await vault.json('up', '--print-service', 'systemd');
    expect(json).toEqual({
      manager: 'systemd',
      name: expect.stringMatching(/^errand-vault-[0-9a-f]{8}$/),
      text: expect.stringContaining('\nRestart=on-failure\n'),
      steps: expect.arrayContaining(['  systemctl --user daemon-reload']),
    });
    const trusting = await vault.errand('up', '--print-service', 'systemd', '--trust');
    expect(trusting).toMatchObject({ code: 2, stdout: '' });
  },
);

test('errand status shows owner, programs, servers, calls and sessions', patient, async () => {
  using vault = await TestVault.agreed();
  expect(await vault.errand('status')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No program owns this vault/),
  });
  expect(await vault.json('status')).toMatchObject({
    code: 0,
    json: { vault: vault.folder, owner: null, attached: [], servers: [], calls: [], sessions: [] },
  });
  expect(readJournal(vault.journal)).toEqual([]);

  using up = vault.start('up');
  await up.says(/is connected/);
  using hanging = vault.start('call', 'fix', 'hang');
  await journalled(vault.journal, ({ tool }) => tool === 'hang', soon());
  const { json } = await vault.json('status');
  const { pid } = up.child;
  expect(json).toMatchObject({
    owner: { program: 'up', pid, since: expect.any(Number), state: 'answers' },
    attached: [{ program: 'command', pid: hanging.child.pid }],
    servers: [{ name: 'fix', connectionState: 'connected', tools: expect.any(Number) }],
    calls: [{ server: 'fix', tool: 'hang', source: 'command', status: 'executing' }],
    stopped: false,
    sessions: [{ executed: 1, limit: expect.any(Number) }],
  });
  const { stdout } = await vault.errand('status');
  expect(stdout).toContain(`(process ${pid})`);
  expect(stdout).toMatch(/fix +Connected +\d+ tools/);
  expect(stdout).toMatch(/fix hang +command +running/);

  process.kill(pid ?? 0, 'SIGSTOP');
  expect(await vault.json('status')).toMatchObject({
    code: 0,
    json: { owner: { program: 'up', pid, state: 'silent' }, servers: [] },
  });
  process.kill(pid ?? 0, 'SIGCONT');
  up.child.kill('SIGTERM');
  await up.ended;
  await hanging.ended;
});

test(
  'errand stop ends the calls of others and refuses new ones until errand resume',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    expect(await vault.errand('stop')).toMatchObject({
      code: 0,
      stdout: 'Nothing runs: no program owns this vault.\n',
    });
    using up = vault.start('up');
    await up.says(/is connected/);
    using hanging = vault.start('call', 'fix', 'hang', '--json');
    await journalled(vault.journal, ({ tool }) => tool === 'hang', soon());
    expect(await vault.json('stop')).toMatchObject({ code: 0, json: { stopped: true } });
    const ended = await hanging.ended;
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'stopped' } });
    const refused = await vault.errand('call', 'fix', 'echo', 'text=hello');
    expect(refused.code).toBe(130);
    expect(refused.stderr).toContain('errand resume');
    expect((await vault.errand('status')).stdout).toContain('Calls are stopped.');
    expect(await vault.json('resume')).toMatchObject({ code: 0, json: { stopped: false } });
    expect((await vault.errand('call', 'fix', 'echo', 'text=hello')).stdout).toBe('hello\n');
    up.child.kill('SIGTERM');
    await up.ended;
  },
);

function eventsOf({ stdout }: RunningProgram): readonly Record<string, unknown>[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** Waits until a program owns the vault. */
async function owned(vault: TestVault, program: string): Promise<void> {
  const late = eventually();
  for (;;) {
    const { json } = await vault.json('status');
    if ((json as { owner: { program: string } | null }).owner?.program === program) return;
    late.throwIfAborted();
  }
}
