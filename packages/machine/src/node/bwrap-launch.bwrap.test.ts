import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection, SandboxMount, ServerConfig } from '@errand/host';
import { afterEach, expect, test, vi } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import { journalled } from '../testing/journal.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';
import type { ServerScript } from '../testing/server-script.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Where the scriptable server lies; it loads nothing from elsewhere. */
const program = fileURLToPath(new URL('../testing', import.meta.url));

test('a sandboxed server answers, and has the environment that it has without', async () => {
  await using bench = new ConnectionBench();
  const plain = await tellAbout(await bench.start(scriptedServerConfig()));
  const boxed = await tellAbout(await bench.start(sandboxed({ mounts: [] })));
  expect(boxed.cwd).toBe(bench.neutralFolder);
  // Set by bwrap and the shell of nobody.
  const { PWD: _, ...env } = boxed.env;
  expect({ ...env, ERRAND_CHILD: '' }).toEqual({ ...plain.env, ERRAND_CHILD: '' });
  expect(boxed.pid).toBeLessThan(plain.pid);
});

test('a sandboxed server reads no file of the home folder that it is not shown', async () => {
  await using bench = new ConnectionBench();
  await using home = await temporaryFolder();
  vi.stubEnv('HOME', home.path);
  const path = join(home.path, 'key');
  writeFileSync(path, 'private');
  const free = await bench.start(scriptedServerConfig());
  expect(await callText(free, 'read-file', { path })).toBe('private');
  const boxed = await bench.start(sandboxed({ network: true, mounts: [{ source: '.' }] }));
  expect(await callText(boxed, 'read-file', { path })).toBe('ENOENT');
  // It may write to the folder that it has instead, which nobody else sees.
  const own = join(home.path, 'own');
  expect(await callText(boxed, 'write-file', { path: own })).toBe('written');
  expect(await callText(boxed, 'read-file', { path: own })).toBe('written');
  expect(readdirSync(home.path)).toEqual(['key']);
  const shown = await bench.start(sandboxed({ mounts: [{ source: path }] }));
  expect(await callText(shown, 'read-file', { path })).toBe('private');
});

test('a sandboxed server sees of the vault what is mounted, and writes what it may write', async () => {
  await using bench = new ConnectionBench();
  mkdirSync(join(bench.folder, 'data'));
  const note = join(bench.folder, 'note.md');
  const data = join(bench.folder, 'data/new.txt');
  writeFileSync(note, 'a note');
  const none = await bench.start(sandboxed({ mounts: [] }));
  expect(await callText(none, 'read-file', { path: note })).toBe('ENOENT');
  const reader = await bench.start(sandboxed({ mounts: [{ source: '.' }] }));
  expect(await callText(reader, 'read-file', { path: note })).toBe('a note');
  for (const path of [note, data, '/usr/errand-test', '/etc/errand-test']) {
    expect(await callText(reader, 'write-file', { path })).toBe('EROFS');
  }
  const mounts = [{ source: 'data', writable: true }, { source: '.' }];
  const writer = await bench.start(sandboxed({ mounts }));
  expect(await callText(writer, 'write-file', { path: note })).toBe('EROFS');
  expect(await callText(writer, 'write-file', { path: data })).toBe('written');
  expect(readFileSync(data, 'utf8')).toBe('written');
  expect(readFileSync(note, 'utf8')).toBe('a note');
});

test('a sandboxed server reaches ports of this machine only with a network', async () => {
  await using bench = new ConnectionBench();
  await using listener = createServer((socket) => socket.end());
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as { readonly port: number };
  const alone = await bench.start(sandboxed({ mounts: [] }));
  expect(await callText(alone, 'connect-to', { port })).toMatch(/^(ECONNREFUSED|ENETUNREACH)$/);
  const connected = await bench.start(sandboxed({ network: true, mounts: [] }));
  expect(await callText(connected, 'connect-to', { port })).toBe('connected');
});

test('nothing of a sandboxed server runs on when it is stopped', async () => {
  await using bench = new ConnectionBench();
  const script = { onEndOfInput: 'ignore', ignoreTerm: true } as const;
  const connection = await bench.start(sandboxed({ mounts: [] }, script));
  const word = String(100_000 + Math.floor(Math.random() * 1e6));
  await callText(connection, 'leave-running', { seconds: word });
  expect(processesWith(word)).toHaveLength(1);
  await connection[Symbol.asyncDispose]();
  expect(processesWith(word)).toEqual([]);
});

test('nothing of a sandboxed server runs on when its host is killed', async () => {
  await using bench = new ConnectionBench();
  const word = crypto.randomUUID();
  const script: ServerScript = {
    ...{ onEndOfInput: 'ignore', ignoreTerm: true, grandchild: 'session' },
    ...{ journal: bench.journal, instructions: word },
  };
  const mounts = [{ source: program }, { source: bench.journal, writable: true }];
  using host = await startHost(bench, script, { kind: 'bwrap', mounts });
  await journalled(bench.journal, ({ kind }) => kind === 'grandchild', soon());
  expect(processesWith(word, host.pid).length).toBeGreaterThan(1);
  host.kill('SIGKILL');
  await once(host, 'exit');
  await vi.waitFor(() => expect(processesWith(word)).toEqual([]), { timeout: 15_000 });
});

test('runs nothing where bwrap is missing, and says what to install', async () => {
  await using bench = new ConnectionBench();
  const server = sandboxed({ mounts: [] }, { journal: bench.journal });
  vi.stubEnv('PATH', '/nowhere');
  vi.stubEnv('SHELL', '/nowhere/sh');
  await expect(bench.start(server)).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringContaining('apt install bubblewrap'),
  });
  expect(readFileSync(bench.journal, 'utf8')).toBe('');
});

test.each([
  ['a mount that is not there', [{ source: 'absent' }], 'there is no '],
  ['a link of the vault that leads out of it', [{ source: 'link' }], 'leads out of the vault'],
  ['the whole machine', [{ source: '/' }], 'shows the whole machine'],
])('does not show %s', async (_what, mounts, message) => {
  await using bench = new ConnectionBench();
  symlinkSync('/var', join(bench.folder, 'link'));
  await expect(bench.start(sandboxed({ mounts }))).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringContaining(message),
  });
});

test('runs in the folder that the entry names, if the sandbox shows it', async () => {
  await using bench = new ConnectionBench();
  mkdirSync(join(bench.folder, 'tools'));
  const inTools = (mounts: readonly SandboxMount[]) => {
    const { localConfig, ...server } = sandboxed({ mounts });
    return localConfig && { ...server, localConfig: { ...localConfig, cwd: 'tools' } };
  };
  const hidden = inTools([]);
  const shown = inTools([{ source: 'tools' }]);
  if (hidden === undefined || shown === undefined) throw new Error('no entry');
  await expect(bench.start(hidden)).rejects.toThrow('which its sandbox hides');
  expect((await tellAbout(await bench.start(shown))).cwd).toBe(join(bench.folder, 'tools'));
});

interface Reach {
  readonly network?: boolean;
  readonly mounts: readonly SandboxMount[];
}

function sandboxed({ mounts, ...reach }: Reach, script: ServerScript = {}): ServerConfig {
  const { localConfig, ...server } = scriptedServerConfig(script);
  if (localConfig === undefined) throw new Error('no command');
  const sandbox = { kind: 'bwrap', ...reach, mounts: [{ source: program }, ...mounts] } as const;
  return { ...server, localConfig: { ...localConfig, sandbox } };
}

async function tellAbout(connection: Connection) {
  return JSON.parse(await callText(connection, 'environment')) as {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly pid: number;
  };
}

async function startHost(
  bench: ConnectionBench,
  script: ServerScript,
  sandbox: object,
): Promise<ChildProcess> {
  const host = spawn(
    process.execPath,
    [
      join(program, 'host-program.ts'),
      bench.folder,
      JSON.stringify(script),
      JSON.stringify(sandbox),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(host.stdout, 'data');
  return host;
}

/** The processes of this machine on whose command line a word stands. */
function processesWith(word: string, except?: number): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === except) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}
