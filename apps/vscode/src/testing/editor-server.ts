import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { builtExtension } from './built-extension.ts';

export interface EditorServerOptions {
  /** Whether folders are trusted without a question, as most tests want. */
  readonly trustsFolders: boolean;
  /** What is installed; by default the extension, and the bridge to its host. */
  readonly packages?: readonly string[];
}

/** A running code-server with the extension installed, in a home of its own. */
export interface EditorServer extends AsyncDisposable {
  readonly address: string;
  readonly home: string;
  /** The environment of the editor, for other programs of the same person. */
  readonly env: NodeJS.ProcessEnv;
  /** Where bridges listen. */
  readonly bridges: string;
  /** The process ids of the server and all that it started. */
  processes(): Promise<readonly number[]>;
  /** Ends it at once, without waiting for anything. */
  kill(): void;
}

/** Installs the extension from its package, and serves the editor on the loopback interface, without a gallery. */
export async function startEditorServer({
  trustsFolders,
  packages = ['errand.vsix', 'bridge.vsix'],
}: EditorServerOptions): Promise<EditorServer> {
  const built = await builtExtension();
  const program = process.env.ERRAND_TEST_CODE_SERVER ?? '';
  await using starting = new AsyncDisposableStack();
  const home = realpathSync(mkdtempSync(join(temporaryFolder(), 'code-')));
  starting.defer(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));
  const bridges = join(home, 'bridges');
  mkdirSync(bridges);
  writeFileSync(join(home, 'config.yaml'), 'auth: none\n');
  mkdirSync(join(home, 'data/User'), { recursive: true });
  writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify(editorSettings));
  const folders = [
    ...['--config', join(home, 'config.yaml')],
    ...['--user-data-dir', join(home, 'data')],
    ...['--extensions-dir', join(home, 'extensions')],
  ];
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ERRAND_TEST_BRIDGES: bridges,
    NODE_COMPILE_CACHE: undefined,
  };
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  const run = promisify(execFile);
  const installed = packages.flatMap((name) => ['--install-extension', join(built, name)]);
  await run(process.execPath, [program, ...folders, ...installed], { env });
  const port = await freePort();
  const server = spawn(
    process.execPath,
    [
      program,
      ...folders,
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trustsFolders ? ['--disable-workspace-trust'] : []),
    ],
    { env, stdio: 'ignore' },
  );
  starting.defer(() => endServer(server));
  const address = `http://127.0.0.1:${port}`;
  await untilHealthy(address, server);
  const started = starting.move();
  return {
    address,
    home,
    env,
    bridges,
    processes: () => descendantsOf(server.pid ?? 0),
    kill() {
      server.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilHealthy(address: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${address}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    if (server.exitCode !== null) throw new Error(`The editor ended with ${server.exitCode}.`);
    if (performance.now() > deadline) throw new Error('The editor does not start.');
    await sleep(50);
  }
}

/** Asked first, so that extension hosts leave as they do for a person; whatever is left is killed. */
async function endServer(server: ChildProcess): Promise<void> {
  const children = await descendantsOf(server.pid ?? 0);
  const ended = server.exitCode === null ? once(server, 'exit') : Promise.resolve();
  server.kill('SIGTERM');
  await Promise.race([ended, sleep(5_000)]);
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with the server.
    }
  }
}

/** A process and all processes below it. */
async function descendantsOf(root: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    found.push(...rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? pid : [])));
  }
  return found;
}

/** The folder of the run of tests, which is gone with it: a worker that is ended cleans nothing up. */
function temporaryFolder(): string {
  const { ERRAND_TEST_COUNTS: counts } = process.env;
  return counts === undefined ? tmpdir() : dirname(counts);
}

/** What keeps the page quiet and the pictures the same. */
const editorSettings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': false,
  'editor.minimap.enabled': false,
  // In a browser the editor saves by itself unless it is told not to.
  'files.autoSave': 'off',
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.banner': 'never',
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
};
