import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { scriptedServerConfig } from '@errand/machine/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runErrand } from './errand.ts';
import type { Paint } from './paint.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errand-cli-'));
  vi.stubEnv('HOME', join(folder, 'home'));
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
  mkdirSync(join(folder, 'vault/.errand'), { recursive: true });
  const mcpServers = [scriptedServerConfig({}, { name: 'fix' })];
  const text = JSON.stringify({ version: 1, mcpServers });
  writeFileSync(join(folder, 'vault/.errand/settings.json'), text);
  writeFileSync(join(folder, 'vault/Plan.md'), '# Plan\n');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const mistakes = [
  {
    line: 'servers add fix -- x',
    says: 'Another server has this name. Write for example "fix-2".',
  },
  { line: 'servers add FIX -- x', says: 'errand servers edit fix' },
  { line: 'servers add mermaid -- x', says: 'Write for example "mermaid-server".' },
  { line: 'servers add a__b -- x', says: 'Write for example "a_b".' },
  { line: 'servers add x', says: '-- COMMAND ARGS, or --image IMAGE, or --url URL' },
  { line: 'servers add x --url ftp://a', says: '--url must begin with http:// or https://.' },
  { line: 'servers add x npx -y some-server', says: "Put -- before the server's command" },
  {
    line: 'servers add x --url http://a --env A=1',
    says: '--env does not fit a server with a URL.',
  },
  { line: 'servers add x --image a --url http://a', says: 'Give --image or --url, not both.' },
  { line: 'servers edit fix', says: 'Nothing to change in fix. See the options with' },
  { line: 'servers edit fix --unset-env GONE', says: '"fix" has no variable "GONE".' },
  {
    line: 'servers edit fix --unset-deny-tool x',
    says: '"fix" has no denied tool "x". It has none.',
  },
  { line: 'servers show nobody', says: 'There is no server "nobody". There are: fix.' },
  { line: 'trust nobody', says: 'There is no server "nobody". There are: fix.' },
  { line: 'servers edit fix --timeout 0', says: 'Use a number of seconds from 1 to 300.' },
  { line: 'servers remove nobody', says: 'There is no server "nobody". There are: fix.' },
  { line: 'servers import nowhere.json', says: 'There is no file nowhere.json.' },
  { line: 'call', says: "missing required argument 'server'" },
  { line: 'call fix echo text', says: '"text" is missing "=value".' },
  { line: 'call fix echo --params [1]', says: 'Write an object' },
  { line: 'call nobody echo', says: 'There is no server "nobody". There are: fix.' },
  { line: 'history --limit none', says: 'Use a whole number, 1 or more.' },
  { line: 'history --since yesterday', says: 'Use 90s, 30m, 2h or 3d, or a date' },
  { line: 'history show nobody', says: 'The log has no call "nobody".' },
  { line: 'gateway --port 99999', says: 'Use a number from 0 to 65535.' },
  { line: 'gateway --stdio --port 1', says: 'cannot be used with' },
  { line: 'gateway --stdio --host 127.0.0.1', says: 'cannot be used with' },
  { line: 'settings get logDay', says: 'There is no setting "logDay". Did you mean "logDays"?' },
  { line: 'settings set logDays few', says: 'logDays: Write a whole number of days.' },
  { line: 'assistants add A --model m', says: 'Give --provider anthropic, openai or google' },
  { line: 'assistants add A --model m --provider openai', says: 'openai needs a key.' },
  { line: 'assistants add A --model m --base-url x', says: '--base-url: Write a URL' },
  { line: 'assistants add A --model m --provider openai --key sk-1', says: '--key: Write "' },
  { line: 'assistants remove nobody', says: 'No assistant is called "nobody".' },
  { line: 'assistants test', says: 'errand assistants add Local --base-url' },
  { line: 'secrets remove nobody', says: 'There is no secret "nobody".' },
  { line: 'servers --vault nowhere', says: 'There is no folder ' },
  { line: 'run nowhere.md', says: 'There is no note nowhere.md.' },
  { line: 'run plna.md', says: 'There is no note plna.md. Did you mean Plan.md?' },
  { line: 'blocks Plan.md:3', says: 'errand run Plan.md --block 3' },
  { line: 'ask --note Plan.md:0 why', says: 'Lines and blocks are counted from 1.' },
  { line: 'run .', says: '. is a folder. Name a note in it, such as Plan.md, or' },
  { line: 'run ../outside.md --vault .', says: 'is not in the vault' },
  { line: 'up --print-service cron', says: 'Allowed choices are systemd, launchd, windows.' },
  { line: 'completion tcsh', says: 'Allowed choices are bash, zsh, fish.' },
  { line: 'srevers', says: 'Did you mean servers?' },
];

test.each(mistakes)(
  'errand $line: says what to do, and changes nothing',
  async ({ line, says }) => {
    const settings = join(folder, 'vault/.errand/settings.json');
    const before = readFileSync(settings, 'utf8');
    const { code, stdout, stderr } = await errand(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(readFileSync(settings, 'utf8')).toBe(before);
  },
);

test('reports a system error without a stack, and says what to do', async () => {
  writeFileSync(join(folder, 'vault/file'), '');
  const { code, stdout, stderr } = await errand('init', 'file', '--json');
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect({ code, error: error.code }).toEqual({ code: 2, error: 'settings_invalid' });
  // The terminal also says what to do next.
  expect(stderr).toMatch(/\n$/);
  expect(stderr.startsWith(error.message)).toBe(true);
  expect(stderr).toMatch(/^The system refused: .*file.* Check that path, its permissions/);
});

test.each([
  ['servers', 'test', 'nobody'],
  ['servers', '--vault', 'nowhere'],
  ['call', 'nobody', 'echo'],
])('errand %s %s %s --json: a failure is one JSON document', async (...args) => {
  const { code, stdout, stderr } = await errand(...args, '--json');
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect(code).toBe(2);
  // The terminal also says what to do next.
  expect(stderr).toMatch(/\n$/);
  expect(stderr.startsWith(error.message)).toBe(true);
});

test.each([
  { args: ['call', 'fix'], says: "missing required argument 'tool'" },
  { args: ['srevers'], says: "unknown command 'srevers'" },
  { args: ['call', 'fix', 'echo', '--params', '5'], says: 'Write an object' },
  { args: ['secrets'], says: "unknown option '--json'" },
])('errand $args --json: wrong usage is one JSON document', async ({ args, says }) => {
  const { code, stdout } = await errand(...args, '--json');
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect({ code, error: error.code }).toEqual({ code: 2, error: 'settings_invalid' });
  expect(error.message).toContain(says);
});

test('a history in which nothing fits does not say that there were no calls at all', async () => {
  expect((await errand('history')).stdout).toBe('No calls yet.\n');
  expect((await errand('history', '--server', 'nobody')).stdout).toBe('No such calls.\n');
});

test('a setting is changed, shown and put back to its default', async () => {
  expect((await errand('settings', 'set', 'logDays', '7')).stdout).toBe('logDays is 7.\n');
  expect((await errand('settings', 'get', 'logDays')).stdout).toBe('7\n');
  const { stdout } = await errand('settings', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    file: '.errand/settings.json',
    settings: expect.arrayContaining([{ key: 'logDays', value: 7, default: 30 }]),
  });
  const unset = await errand('settings', 'unset', 'logDays', '--json');
  expect(JSON.parse(unset.stdout)).toEqual({ key: 'logDays', value: 30, default: 30 });
});

test('escapes terminal codes in the last output of a server', async () => {
  const stderr = '\u001b[2J\u001b]0;mine now\u0007\n';
  const settings = { mcpServers: [scriptedServerConfig({ onStart: 'exit', stderr })] };
  writeFileSync(join(folder, 'vault/.errand/settings.json'), JSON.stringify(settings));
  const ended = await errand('servers', 'test', 'scripted', '--trust');
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(String.raw`\u001b[2J\u001b]0;mine now\u0007`),
  });
});

test('escapes terminal codes in the mistakes of a note', async () => {
  const binding = String.raw`mcp: { server: "gone\e[2J" }`;
  writeFileSync(join(folder, 'vault/note.md'), `---\n${binding}\n---\n# A\n`);
  const { code, stderr } = await errand('sections', 'note.md');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(String.raw`\u001b[2J`),
  });
});

test('stores no part of a secret when its input is interrupted', async () => {
  const stdin = new PassThrough();
  const stopping = new AbortController();
  stdin.write('half a tok');
  const ended = errandWith({ stdin, signal: stopping.signal }, ['secrets', 'set', 'half']);
  await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
  stopping.abort();
  stdin.end();
  expect(await ended).toMatchObject({ code: 130, stdout: '' });
  expect((await errand('secrets', 'list')).stdout).toBe('No secrets.\n');
});

test('states, and the steps of a test, are coloured where the terminal has colours', async () => {
  const note = '# A\n\n```fix\ntool: echo\ntext: a\n```\n';
  writeFileSync(join(folder, 'vault/note.md'), note);
  const paint: Paint = (tone, text) => `<${tone}>${text}</>`;
  const stopping = new AbortController();
  const timeout = AbortSignal.any([stopping.signal, AbortSignal.timeout(15_000)]);
  const ask = async (line: string, onOutput?: (text: string) => void, signal = timeout) =>
    await errandWith({ stdin: new PassThrough(), signal, paint, onOutput }, line.split(' '));
  expect((await ask('servers show fix')).stdout).toMatch(/^state +<warn>.*<\/>$/m);
  const { stderr } = await ask('servers test fix --trust');
  expect(stderr).toMatch(/^ {2}<good>ok<\/> {5}Connecting \(/m);
  const watched = await ask('watch note.md', () => stopping.abort());
  expect(watched.stdout).toBe('note.md\n  line 3  fix echo  <accent>new</>  A\n');
});

async function errand(...args: readonly string[]) {
  return await errandWith({ stdin: new PassThrough(), signal: AbortSignal.timeout(15_000) }, args);
}

interface TestTerminal {
  readonly stdin: PassThrough;
  readonly signal: AbortSignal;
  readonly paint?: Paint;
  readonly onOutput?: ((text: string) => void) | undefined;
}

async function errandWith(
  { stdin, signal, paint, onOutput }: TestTerminal,
  args: readonly string[],
) {
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), paint && { paint });
  if (onOutput) stdout.once('readable', onOutput);
  const stderr = new PassThrough({ encoding: 'utf8' });
  const streams = { stdin, stdout, stderr, ...(paint && { paintError: paint }) };
  const terminal = { ...streams, env: {}, cwd: join(folder, 'vault'), interrupt() {} };
  const code = await runErrand(args, { terminal, signal });
  return { code, stdout: stdout.read() ?? '', stderr: stderr.read() ?? '' };
}
