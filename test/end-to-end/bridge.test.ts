import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalled } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { eventually, patient, program, RunningProgram, TestVault } from './errand-process.ts';

/** What each agent hands to its hooks, and what it reads from them. */
const agents = [
  {
    name: 'claude',
    file: '.claude/settings.json',
    before: '{\n  // mine\n  "model": "opus",\n}\n',
    prompt: (prompt: string, cwd: string) => ({
      session_id: 'claude',
      transcript_path: '/t.jsonl',
      cwd,
      permission_mode: 'default',
      hook_event_name: 'UserPromptSubmit',
      prompt,
    }),
    stop: { session_id: 'claude', hook_event_name: 'Stop', last_assistant_message: 'by claude' },
    denied: { decision: 'block', reason: expect.stringContaining('not today') },
  },
  {
    name: 'copilot',
    file: '.github/hooks/errand.json',
    prompt: (prompt: string, cwd: string) => ({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'copilot',
      timestamp: '2026-02-09T10:30:00.000Z',
      cwd,
      prompt,
    }),
    stop: { hook_event_name: 'Stop', session_id: 'copilot', stop_reason: 'end_turn' },
    denied: { continue: false, stopReason: expect.stringContaining('not today') },
  },
  {
    name: 'cursor',
    file: '.cursor/hooks.json',
    before: '{ "version": 1, "hooks": { "stop": [ { "command": "true" } ] } }\n',
    prompt: (prompt: string, cwd: string) => ({
      conversation_id: 'cursor',
      generation_id: 'g',
      hook_event_name: 'beforeSubmitPrompt',
      workspace_roots: [cwd],
      prompt,
      attachments: [],
    }),
    stop: {
      conversation_id: 'cursor',
      hook_event_name: 'stop',
      status: 'completed',
      loop_count: 0,
    },
    denied: { continue: false, user_message: expect.stringContaining('not today') },
    allowed: { continue: true },
  },
  {
    name: 'codex',
    file: '.codex/hooks.json',
    prompt: (prompt: string, cwd: string) => ({
      session_id: 'codex',
      turn_id: 't',
      transcript_path: null,
      cwd,
      hook_event_name: 'UserPromptSubmit',
      model: 'm',
      permission_mode: 'default',
      prompt,
    }),
    stop: { session_id: 'codex', hook_event_name: 'Stop', last_assistant_message: 'by codex' },
    denied: { decision: 'block', reason: expect.stringContaining('not today') },
  },
] as const;

type Agent = (typeof agents)[number];

/** Runs what stands in the file of an agent, as the agent does. */
function tell(agent: Agent, payload: object, vault: TestVault): RunningProgram {
  const command = /"command": ("(?:[^"\\]|\\.)*hooks bridge event(?:[^"\\]|\\.)*")/.exec(
    vault.read(agent.file),
  )?.[1];
  const running = new RunningProgram('sh', ['-c', `exec ${JSON.parse(command ?? '""')}`], vault);
  running.child.stdin?.end(JSON.stringify(payload));
  return running;
}

async function answerTo(agent: Agent, payload: object, vault: TestVault): Promise<unknown> {
  const { code, stdout } = await tell(agent, payload, vault).ended;
  expect(code).toBe(0);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

test(
  'four agents tell hooks of their operations, wait for them and are denied, and their files are as before',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    // The program as it is shipped, not the one that npm puts there.
    vault.env.PATH = '/usr/local/bin:/usr/bin:/bin';
    const on = (operation: string, timing: string) =>
      [
        '--on',
        'agent-operation',
        '--agent',
        'speckit',
        '--operation',
        operation,
        '--timing',
        timing,
      ] as const;
    const add = (name: string, ...rest: readonly string[]) =>
      vault.errand('hooks', 'add', name, ...rest);
    const closed = join(vault.home, 'closed');
    const gate = `if test -e ${closed}; then echo not today >&2; exit 1; fi`;
    await add(
      'Gate',
      ...on('plan', 'before'),
      '--wait',
      '--on-error',
      'stop',
      '--',
      'sh',
      '-c',
      gate,
    );
    await add(
      'After',
      ...on('plan', 'after'),
      '--call',
      'fix/echo',
      '--set',
      'text={{ bridge.program }} {{ agentOutput }}',
    );
    await add(
      'Hangs',
      ...on('tasks', 'before'),
      '--wait',
      '--on-error',
      'stop',
      '--call',
      'fix/hang',
    );
    expect((await vault.errand('hooks')).stdout).toContain('errand hooks bridge install claude');
    for (const { name, file, ...agent } of agents) {
      if ('before' in agent) {
        mkdirSync(join(vault.path(file), '..'));
        writeFileSync(vault.path(file), agent.before);
      }
      expect((await vault.errand('hooks', 'bridge', 'install', name)).code).toBe(2);
      expect(existsSync(vault.path(file))).toBe('before' in agent);
      expect(await vault.json('hooks', 'bridge', 'install', name, '--yes')).toMatchObject({
        code: 0,
        json: { agent: name, scope: 'project', changed: true },
      });
    }
    expect((await vault.json('hooks', 'bridge')).json).toMatchObject({
      bridges: agents.map(({ name, file }) => ({ agent: name, file: vault.path(file) })),
    });
    const [claude] = agents;
    const plan = (agent: Agent) => agent.prompt('/speckit.plan it', vault.folder);
    writeFileSync(closed, '');
    // Nobody owns the vault: no agent is held up.
    expect(await answerTo(claude, plan(claude), vault)).toBeUndefined();
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    expect((await vault.errand('hooks')).stdout).not.toContain('bridge install');
    for (const agent of agents) {
      expect(await answerTo(agent, plan(agent), vault)).toMatchObject(agent.denied);
    }
    rmSync(closed);
    for (const agent of agents) {
      const allowed = 'allowed' in agent ? agent.allowed : undefined;
      expect(await answerTo(agent, plan(agent), vault)).toEqual(allowed);
      expect(await answerTo(agent, { ...agent.stop, cwd: vault.folder }, vault)).toBeUndefined();
    }
    await up.says(/(?:"hook":"After"[^\n]*"status":"success"[\s\S]*){4}/);
    const { runs } = (await vault.json('hooks', 'log', 'After')).json as {
      readonly runs: readonly { readonly actions: readonly [{ readonly output: string }] }[];
    };
    expect(runs.map(({ actions: [{ output }] }) => output.trim()).sort()).toEqual([
      'claude by claude',
      'codex by codex',
      'copilot',
      'cursor',
    ]);

    // A guard that was changed behind our back denies, until a person agrees or disables it.
    const hooksFile = vault.path('.errand/hooks.json');
    const agreed = readFileSync(hooksFile, 'utf8');
    writeFileSync(hooksFile, agreed.replace('echo not today', 'echo any day'));
    // Reads the file again at once.
    await vault.errand('hooks', 'enable', 'Gate');
    const changed = await answerTo(claude, plan(claude), vault);
    expect(changed).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(
        /"Gate" guards this operation but did not run[\s\S]*errand trust\n[\s\S]*disable Gate/,
      ),
    });
    const off = await vault.errand('hooks', 'disable', 'Gate');
    expect(off.stdout).toBe('Disabled Gate. Agents go on without it.\n');
    expect(await answerTo(claude, plan(claude), vault)).toBeUndefined();
    writeFileSync(hooksFile, agreed);

    // An agent that is killed while it waits.
    const tasks = claude.prompt('/speckit.tasks', vault.folder);
    using waiting = tell(claude, tasks, vault);
    await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
    waiting.child.kill('SIGKILL');
    await once(waiting.child, 'exit');
    await up.says(/"hook":"Hangs"[^\n]*"status":"cancelled"/);

    // A hook that starts an agent, which begins the same operation.
    const inner = { ...claude.prompt('/speckit.clarify', vault.folder), session_id: 'inner' };
    writeFileSync(vault.path('prompt.json'), JSON.stringify(inner));
    const started = `${vault.commandLine()} hooks bridge event codex < prompt.json`;
    await add('Starts', ...on('clarify', 'before'), '--', 'sh', '-c', started);
    await answerTo(claude, claude.prompt('/speckit.clarify', vault.folder), vault);
    await up.says(/"hook":"Starts"[^\n]*"status":"success"/);
    await up.says(/"hook":"Starts"[^\n]*caused by this hook itself/);

    up.child.kill('SIGTERM');
    await up.ended;
    for (const { name, file, ...agent } of agents) {
      expect((await vault.errand('hooks', 'bridge', 'remove', name, '--yes')).code).toBe(0);
      if ('before' in agent) expect(readFileSync(vault.path(file), 'utf8')).toBe(agent.before);
      else expect(existsSync(join(vault.path(file), '..'))).toBe(false);
    }
  },
);

test('a prompt that begins no operation loads next to nothing', () => {
  const folder = join(program, '../../dist');
  const loaded = new Map<string, number>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    const code = readFileSync(join(folder, name), 'utf8');
    loaded.set(name, code.length);
    for (const [, inner = ''] of code.matchAll(/from"\.\/([^"]+)"/g)) load(inner);
  };
  const [, entry = ''] =
    /import\(`\.\/(bridge-event[^`]*)`\)/.exec(readFileSync(join(folder, 'main.js'), 'utf8')) ?? [];
  load(entry);
  expect([...loaded.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000);
});
