import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { ModelServer } from '@errand/assistant/testing';
import { readJournal } from '@errand/machine/testing';
import { createEmulator } from 'emulate';
import { expect, test } from 'vitest';
import { run, TestVault } from './errand-process.ts';
import { shellCommands } from './shell-commands.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/hooks.md'), 'utf8');
const token = 'ghp_open_sesame';

interface Recipe {
  readonly title: string;
  readonly commands: readonly string[];
  /** The hook, where it is shown as a file. */
  readonly json?: string;
}

const [, section = ''] = guide.split(/^## Recipes$/m);
const recipes: readonly Recipe[] = section
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [, json] = /^```json\n(.*?)^```/ms.exec(text) ?? [];
    const commands = shellCommands(text).map(({ command }) => command);
    return { title: text.split('\n')[0] ?? '', commands, ...(json && { json }) };
  });

const tool = (name: string, ...params: string[]) => ({
  name,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(params.map((param) => [param, { type: 'string' }])),
    required: params,
  },
});

test('the guide has ten recipes', () => {
  expect(recipes).toHaveLength(10);
});

// One program runs them all, beside each other as in a vault that uses them.
test('every recipe of the guide does what it says', { timeout: 180_000 }, async () => {
  await using model = await ModelServer.open({ text: ['It is about oak.'] });
  await using github = await openGitHub();
  using vault = new TestVault();
  writeFileSync(vault.path('Today.md'), '```vault\ntool: list_tags\n```\n');
  const git = openRepository(vault);
  vault.env.PATH = `${errandOnPath(vault)}:${vault.env.PATH}`;
  vault.env.MODEL_KEY = 'sk-secret';
  vault.add(
    vault.scripted({ tools: [tool('post_message', 'channel', 'text')] }, { name: 'chat' }),
    vault.scripted({ tools: [tool('add_label', 'message_id', 'label_name')] }, { name: 'gmail' }),
  );
  const assistants = [model.assistant('anthropic', { key: `\${env:MODEL_KEY}` })];
  vault.writeSettings(JSON.stringify({ ...vault.settings(), assistants }));
  await vault.errand('trust', '--yes');
  using secret = vault.start('secrets', 'set', 'github');
  secret.child.stdin?.end(token);
  expect(await secret.ended).toMatchObject({ code: 0 });

  for (const { title, commands, json } of recipes) {
    for (const command of commands) {
      const typed = command.replace(/^errand/, vault.commandLine());
      expect({ title, ...(await run('sh', ['-c', typed], vault)) }).toMatchObject({
        title,
        code: 0,
      });
    }
    if (json === undefined) continue;
    writeFileSync(vault.path('recipe.json'), json);
    expect({
      title,
      ...(await vault.errand('hooks', 'add', '--from', 'recipe.json')),
    }).toMatchObject({
      title,
      code: 0,
    });
  }
  sendToDouble(vault, github.url);
  expect((await vault.errand('trust', '--yes')).code).toBe(0);

  using up = vault.start('up', '--json');
  await up.says(/"event":"ready"/);
  // A second program of the same vault, which must not run them a second time.
  using beside = vault.start('gateway', '--port', '0');
  await beside.says(/http:/);
  const { json } = await vault.json('hooks');
  expect((json as { hooks: object[] }).hooks).toMatchObject(
    Array.from({ length: 10 }, () => ({ verdict: 'trusted', faults: [] })),
  );
  const ran = (name: string) => up.says(new RegExp(`"hook":"${name}"[^\n]*"status":"success"`));
  const posts = (name: string) =>
    readJournal(vault.journal)
      .filter(({ kind, tool: called }) => kind === 'call' && called === name)
      .map(({ arguments: given }) => given);

  const write = (name: string, text: string) => {
    mkdirSync(dirname(vault.path(name)), { recursive: true });
    writeFileSync(vault.path(name), text);
  };
  // A plan that is written by an agent, and a note that arrives.
  git('checkout', '-q', '-b', '012-search');
  write('specs/012-search/plan.md', '# Implementation Plan: Search\n\nUse an index.\n');
  write('Inbox/Oak.md', 'Oak is hard.\n');
  write('Chapters/One.md', 'One two three.\n');
  await ran('Summaries');
  expect(JSON.stringify(model.requests[0]?.body)).toContain('Inbox/Oak.md');
  expect(vault.read('Summaries.md')).toContain('- Oak.md: It is about oak.');
  await ran('Word count');
  expect(vault.read('words.txt').trim()).toBe('3');
  await ran('Plan ready');
  expect(posts('post_message')).toEqual([
    { channel: 'plans', text: 'search: plan ready on 012-search' },
  ]);

  // A call that fails, a mail that was sent, and a program that reports.
  await vault.errand('call', 'chat', 'no_such_tool');
  await ran('Failed calls');
  expect(await github.get('issues')).toMatchObject([{ title: 'chat/no_such_tool failed' }]);
  await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent', 'mail.messageId=m1');
  await ran('Label sent mail');
  expect(posts('add_label')).toEqual([{ message_id: 'm1', label_name: 'sent-by-errand' }]);
  const shown = (await vault.json('hooks', 'show', 'Builds')).json as {
    endpoint: { url: string; token: string };
  };
  const report = () =>
    fetch(shown.endpoint.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shown.endpoint.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'build 7',
      },
      body: JSON.stringify({ branch: 'main', result: 'green' }),
    });
  expect([(await report()).status, (await report()).status]).toEqual([202, 202]);
  await ran('Builds');
  expect(vault.read('Builds.md').trim()).toBe('- main: green');

  // What the clock does later, done now.
  expect((await vault.errand('hooks', 'run', 'Morning')).code).toBe(0);
  expect(vault.read('Today.md')).toContain('mcp-result');
  git('checkout', '-q', 'main');
  expect((await vault.errand('hooks', 'run', 'Evening commit')).code).toBe(0);
  expect(git('log', '-1', '--format=%s')).toMatch(/^notes: \d{4}-\d\d-\d\d\n$/);
  await ran('Push');
  expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'origin/main'));
  git('tag', 'v1.0');
  await ran('Releases');
  expect(await github.get('releases')).toMatchObject([{ tag_name: 'v1.0', name: 'Version v1.0' }]);
  expect(posts('post_message').at(-1)).toEqual({
    channel: 'releases',
    text: expect.stringMatching(/^v1\.0 is out: http/),
  });
  const { hooks } = (await vault.json('hooks')).json as {
    hooks: { name: string; executionCount: number }[];
  };
  expect(hooks.map(({ name, executionCount }) => [name, executionCount])).toEqual(
    hooks.map(({ name }) => [name, 1]),
  );
  for (const { child, ended } of [beside, up]) {
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
  const logs = globSync('.errand/log/*.jsonl', { cwd: vault.folder });
  expect(logs.map(vault.read, vault).join('')).not.toContain(token);
});

/** A repository whose `origin` is on GitHub to read from, and here to push to. */
function openRepository({ folder, home }: TestVault): (...args: string[]) => string {
  const bare = join(home, 'remote.git');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  mkdirSync(home, { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', bare]);
  git('init', '-q', '-b', 'main');
  for (const pair of [
    'user.name=Ada',
    'user.email=ada@example.org',
    `remote.origin.pushurl=${bare}`,
  ]) {
    git('config', ...(pair.split('=') as [string, string]));
  }
  git('config', 'remote.origin.url', 'https://github.com/ada/notes.git');
  git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return git;
}

/** A folder with a program `errand`, as an installation has one. */
function errandOnPath(vault: TestVault): string {
  const folder = join(vault.home, 'bin');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'errand');
  writeFileSync(program, `#!/bin/sh\nexec ${vault.commandLine()} "$@"\n`);
  chmodSync(program, 0o755);
  return folder;
}

/** The stateful double of GitHub. */
async function openGitHub() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const emulator = await createEmulator({
    service: 'github',
    port,
    baseUrl: url,
    seed: {
      tokens: { [token]: { login: 'ada', scopes: ['repo'] } },
      github: {
        users: [{ login: 'ada' }],
        repos: [{ owner: 'ada', name: 'notes', auto_init: true }],
      },
    },
  });
  return {
    url,
    async get(what: string): Promise<unknown> {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/repos/ada/notes/${what}`, { headers })).json();
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The recipes name no address, which means github.com. */
function sendToDouble(vault: TestVault, url: string): void {
  const file = vault.path('.errand/hooks.json');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replaceAll(
      /"type": "github",\s*("onError": "stop",\s*)?"parameters": \{/g,
      `$&"url": "${url}",`,
    ),
  );
}
