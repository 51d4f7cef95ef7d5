import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patient, run, TestVault } from './errand-process.ts';

test(
  'a call prints its answer alone; with --json one document in the agreed shape',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    expect(await vault.errand('call', 'fix', 'echo', 'text=a=b')).toEqual({
      code: 0,
      stdout: 'a=b\n',
      stderr: '',
    });
    expect(await vault.json('call', 'fix', 'structured')).toEqual({
      code: 0,
      json: {
        status: 'success',
        content: { sum: 3 },
        contentType: 'json',
        structuredContent: { sum: 3 },
        parts: [
          { type: 'text', text: '{"sum":3}' },
          { type: 'hologram', shape: 'cube' },
        ],
        durationMs: expect.any(Number),
        error: null,
      },
    });
    const asSent = '{"a":1.10,  "b":1e3}';
    expect(await vault.errand('call', 'fix', 'echo', `text=${asSent}`)).toMatchObject({
      stdout: `${asSent}\n`,
    });
    expect(await vault.json('call', 'fix', 'nosuch')).toMatchObject({
      code: 1,
      json: { status: 'error', content: null, error: { code: 'tool_not_found' } },
    });
    const late = await vault.errand('call', 'fix', 'hang', '--timeout', '1');
    expect(late).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Execution timeout after 1000 ms\. Allow more time: .*--timeout/,
      ),
    });
  },
);

test('reports a server that dies in a call once, with its last output', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted());
  const { code, stdout, stderr } = await vault.errand('call', 'fix', 'crash');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^MCP server fix disconnected, retrying\.\.\. Server "fix" exited with code 7\. See each step, and its last output, with: errand servers test fix\nThe call may have taken effect; it was not repeated\.\nLast output of the server:\n│ out of cheese\n$/,
  );
  writeFileSync(vault.path('Note.md'), '```fix\ntool: crash\nwords: no memory\n```\n');
  const run = await vault.errand('run', 'Note.md');
  expect(run.stdout).toContain('    Last output of the server:\n    │ no memory\n');
  expect(vault.read('Note.md')).not.toContain('Last output');
  const { calls } = (await vault.json('history')).json as { calls: readonly { id: string }[] };
  const shown = await vault.errand('history', 'show', calls[0]?.id ?? '');
  expect(shown.stdout).toMatch(/\nLast output of the server:\n│ no memory\n$/);
});

test(
  'history keeps the calls, newest first, filters them, and shows one in full',
  patient,
  async () => {
    using vault = TestVault.trusted({ notes: { 'Note.md': '```fix\ntool: echo\ntext: a\n```\n' } });
    vault.add(vault.scripted(), vault.scripted({}, { name: 'other' }));
    await vault.errand('run', 'Note.md');
    await vault.errand('call', 'other', 'fail');
    const { json } = await vault.json('history');
    expect(json).toEqual({
      calls: [
        {
          id: expect.any(String),
          source: 'command',
          server: 'other',
          tool: 'fail',
          note: null,
          line: null,
          status: 'error',
          submittedAt: expect.any(Number),
          durationMs: expect.any(Number),
          attempts: 1,
          resultBytes: expect.any(Number),
          error: { code: 'tool_failed', message: 'It did not work.' },
        },
        expect.objectContaining({
          source: 'user-codeblock',
          note: 'Note.md',
          line: 1,
          error: null,
        }),
      ],
    });
    const [failed, ran] = (json as { calls: readonly object[] }).calls;
    expect((await vault.json('history', '--server', 'FIX')).json).toEqual({ calls: [ran] });
    expect((await vault.json('history', '--note', 'Note.md')).json).toEqual({ calls: [ran] });
    expect((await vault.json('history', '--limit', '1')).json).toEqual({ calls: [failed] });
    expect((await vault.json('history', '--failed')).json).toEqual({ calls: [failed] });
    expect((await vault.json('history', '--since', '1h')).json).toEqual({ calls: [failed, ran] });
    expect((await vault.json('history', '--since', '2999-01-01')).json).toEqual({ calls: [] });
    const { id } = failed as { id: string };
    const listed = await vault.errand('history', '--failed');
    expect(listed.stdout).toMatch(new RegExp(` {2}${id.slice(0, 8)}\n$`));
    expect((await vault.json('history', 'show', id.slice(0, 8))).json).toEqual({
      ...failed,
      section: [],
      parameterNames: [],
      parameters: null,
      retryReasons: [],
      approval: null,
      conversation: null,
      lastOutput: null,
    });
    const shown = await vault.errand('history', 'show', id);
    expect(shown.stdout).toMatch(/^call +other fail$/m);
    expect(shown.stdout).toMatch(/^error +tool_failed\nIt did not work\.\n$/m);
    expect(await vault.errand('history', '--note', 'Other.md')).toMatchObject({
      code: 0,
      stdout: 'No such calls.\n',
    });
  },
);

test(
  'a secret reaches its server, and neither the output nor the settings nor the log',
  patient,
  async () => {
    using vault = TestVault.trusted({ settings: { logParameters: true } });
    const stored = vault.start('secrets', 'set', 'crm');
    stored.child.stdin?.end('swordfish-42\n');
    expect(await stored.ended).toMatchObject({ code: 0 });
    expect((await vault.json('secrets', 'list')).json).toMatchObject({ secrets: ['crm'] });
    const { command = '', args = [] } = vault.scripted().localConfig ?? {};
    const value = `TOKEN=\${secret:crm}`;
    const added = await vault.errand(
      'servers',
      'add',
      'fix',
      '--env',
      value,
      '--',
      command,
      ...args,
    );
    expect(added.code).toBe(0);
    const result = await vault.errand('call', 'fix', 'environment');
    expect(JSON.parse(result.stdout).env.TOKEN).toBe('swordfish-42');
    const crashed = await vault.errand('call', 'fix', 'crash', 'words=the key is swordfish-42');
    const log = await run('sh', ['-c', 'cat .errand/settings.json .errand/log/*'], vault);
    expect(log.stdout).toContain('"tool":"crash"');
    for (const text of [added.stdout, added.stderr, crashed.stderr, log.stdout]) {
      expect(text).not.toContain('swordfish');
    }
    expect(crashed.stderr).toContain(`the key is \${secret:crm}`);
    expect(await vault.errand('secrets', 'remove', 'crm')).toMatchObject({ code: 0 });
  },
);

test('a variable that a server was given is kept out of the log too', patient, async () => {
  using vault = TestVault.trusted({ settings: { logParameters: true } });
  vault.env.MAIL_PASSWORD = 'haddock-17';
  const server = vault.scripted();
  const { localConfig = { command: '' } } = server;
  const env = { PASSWORD: `\${env:MAIL_PASSWORD}` };
  vault.add({ ...server, localConfig: { ...localConfig, env } });
  await vault.errand('call', 'fix', 'echo', 'text=the key is haddock-17');
  const log = await run('sh', ['-c', 'cat .errand/log/*'], vault);
  expect(log.stdout).toContain(`the key is \${env:MAIL_PASSWORD}`);
  expect(log.stdout).not.toContain('haddock');
});

test(
  'a terminal shows how far a call is; a pipe gets no colour and no such line',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    using onTerminal = vault.startOnTerminal('errand call fix hang');
    await onTerminal.says(/fix hang {2}1 s/);
    onTerminal.type('\u0003');
    expect(await onTerminal.ended).toMatchObject({ code: 130 });
    using listed = vault.startOnTerminal('errand servers');
    await listed.says(/\[32mConnected.\[39m/);
    await listed.ended;
    const piped = await vault.errand('call', 'fix', 'progress');
    expect(piped).toEqual({ code: 0, stdout: 'three steps\n', stderr: '' });
    for (const args of [['servers'], ['tools']]) {
      const { stdout, stderr } = await vault.errand(...args);
      expect(stdout + stderr).not.toContain('\u001b');
    }
  },
);

test('survives a reader that leaves early, and a full disk', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted());
  const errand = vault.commandLine();
  const head = `${errand} call fix large bytes=3000000 | head -c 5`;
  expect(await run('sh', ['-c', head], vault)).toEqual({ code: 0, stdout: 'xxxxx', stderr: '' });
  const full = await run('sh', ['-c', `${errand} history > /dev/full`], vault);
  expect(full.code).toBe(1);
  expect(full.stderr).toMatch(/^The output cannot be written: ENOSPC.*\n$/);
});

test('init makes a vault that works, and never overwrites', patient, async () => {
  using vault = new TestVault({ settings: '{ "version": 1, "mine": true }' });
  const again = await vault.errand('init');
  expect(again.code).toBe(0);
  expect(vault.read('.errand/settings.json')).toBe('{ "version": 1, "mine": true }');
  const fresh = await vault.json('init', '../fresh');
  expect(fresh).toMatchObject({
    code: 0,
    json: { created: ['.errand/settings.json', 'Welcome to Errand.md'] },
  });
  expect(await vault.errand('run', '../fresh/Welcome to Errand.md')).toMatchObject({ code: 0 });
  const before = vault.read('../fresh/Welcome to Errand.md');
  expect(before).toContain('```mcp-result');
  expect((await vault.json('init', '../fresh')).json).toMatchObject({ created: [] });
  expect(vault.read('../fresh/Welcome to Errand.md')).toBe(before);
  expect(existsSync(vault.path('Welcome to Errand.md'))).toBe(true);
});

test('bash completes commands, options and the names of a vault', patient, async () => {
  using vault = new TestVault();
  vault.env.ERRAND_TRUST = '1';
  vault.add(vault.scripted({}, { name: 'weather' }), vault.scripted({}, { name: 'web' }));
  writeFileSync(vault.path('pay.md'), "# Pay_$(id)_it's\n");
  const script = `
    errand() { ${vault.commandLine()} "$@"; }
    source <(errand completion bash)
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _errand; echo "\${COMPREPLY[*]}"; }
    try errand se
    try errand servers te
    try errand call we
    try errand run --st
    try errand call vault list_
    try errand call vault list_notes dir
    try errand settings get logD
    try errand run "Weekly review.md" --section Mov
    try errand run pay.md --section P
    try errand run pay.md --section \\"P
    try errand run pay.md --section \\'P
    complete -p errand`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', script], vault);
  expect(stderr).toBe('');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/)),
  ).toEqual([
    ['secrets', 'sections', 'serve', 'servers', 'settings'],
    ['test'],
    ['weather', 'web'],
    ['--stale'],
    ['list_notes', 'list_tags'],
    ['directory='],
    ['logDays'],
    ['Moving'],
    // What a note says is quoted for the quotes that were typed: it is no command.
    ["Pay_\\$\\(id\\)_it\\'s"],
    ["Pay_\\$(id)_it's"],
    ["Pay_$(id)_it'\\''s"],
    ['complete', '-o', 'default', '-F', '_errand', 'errand'],
  ]);
});

test.skipIf(spawnSync('fish', ['--version']).status !== 0)(
  'fish completes the same, and files only where nothing else fits',
  patient,
  async () => {
    using vault = new TestVault();
    writeFileSync(vault.path('pay.md'), '# Pay $(id)\n');
    const script = `
    function errand; ${vault.commandLine()} $argv; end
    errand completion fish | source
    complete -C 'errand servers te'
    complete -C 'errand run pay.md --section P'
    complete -C 'errand run pa'`;
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', script], vault);
    expect({ stdout, stderr }).toEqual({ stdout: 'test\nPay $(id)\npay.md\n', stderr: '' });
  },
);
