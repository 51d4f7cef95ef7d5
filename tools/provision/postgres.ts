import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postgresPackage } from './plan.ts';

/** A PostgreSQL of our own, which ends with this process whatever becomes of it. */
export interface Postgres extends AsyncDisposable {
  /** Of a superuser, to a database that is there. */
  readonly url: string;
  /** The process that all others of it belong to. */
  readonly pid: number;
  /** Ends it like a power cut, without a word to those that are connected. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Starts it again with the same data, at the same address. */
  start(): Promise<void>;
  /** Stops all its processes where they are, as a machine that hangs does. */
  freeze(): void;
  thaw(): void;
}

interface PostgresOptions {
  /** Whether each commit waits for the disk; tests do without. */
  readonly isDurable?: boolean;
  readonly maxConnections?: number;
}

/** Makes an empty PostgreSQL in a folder that is removed at the end, and starts it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'errand-postgres-'));
  const user = unprivileged();
  if (user.uid !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(folder, user.uid, user.gid ?? user.uid);
  }
  const installed = programsFolder();
  const programs =
    user.uid === undefined || isOpenToOthers(installed)
      ? installed
      : copyPrograms(installed, folder);
  const data = join(folder, 'data');
  const stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  try {
    await run(join(programs, 'initdb'), [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      ...initFlags,
    ]);
    const server = new Server(join(programs, 'postgres'), data, await freePort(), options);
    stack.defer(() => server.kill());
    await server.start();
    const disposing = stack.move();
    return {
      url: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
      get pid() {
        return server.pid;
      },
      kill: () => server.kill(),
      stop: () => server.stop(),
      start: () => server.start(),
      freeze: () => server.signal('SIGSTOP'),
      thaw: () => server.signal('SIGCONT'),
      [Symbol.asyncDispose]: () => disposing.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

const initFlags = ['-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];

class Server {
  readonly port: number;
  readonly #args: readonly string[];
  readonly #data: string;
  #guard: ChildProcess | undefined;
  #output = '';

  constructor(program: string, data: string, port: number, options: PostgresOptions) {
    const { isDurable = false, maxConnections = 200 } = options;
    this.port = port;
    this.#data = data;
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: maxConnections,
      ...(!isDurable && { fsync: 'off', full_page_writes: 'off' }),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#args = [program, '-D', data, '-p', String(port), ...flags];
  }

  get pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async start(): Promise<void> {
    // The shell notices that its input ends, also when we are killed, and takes the server along.
    const script = '"$@" </dev/null & read -r _; kill -QUIT $! 2>/dev/null; wait $!';
    const guard = spawn('sh', ['-c', script, 'sh', ...this.#args], {
      ...unprivileged(),
      cwd: dirname(this.#data),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#guard = guard;
    guard.stderr.on('data', (chunk) => {
      this.#output = `${this.#output}${chunk}`.slice(-4_000);
    });
    for (let tries = 0; tries < 600; tries += 1) {
      if (await isListening(this.port)) return;
      if (guard.exitCode !== null) break;
      await sleep(25);
    }
    throw new Error(`PostgreSQL does not start: ${this.#output.trim()}`);
  }

  /** Sends a signal to the server, and then to the processes that it has started. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this;
    process.kill(pid, signal);
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    for (const line of table.trim().split('\n')) {
      const [child = 0, parent] = line.trim().split(/\s+/).map(Number);
      if (parent === pid) signalTo(child, signal);
    }
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (guard === undefined) return;
    const ended = once(guard, 'close');
    const file = join(this.#data, 'postmaster.pid');
    if (existsSync(file)) signalTo(this.pid, signal);
    // It removes the file when everything is written.
    while (signal === 'SIGINT' && existsSync(file)) await sleep(10);
    guard.stdin?.end();
    await ended;
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

/** The folder of the programs of the npm package for this machine. */
function programsFolder(): string {
  const name = postgresPackage(process);
  if (name === undefined) throw new Error('No PostgreSQL comes by npm for this machine.');
  const native = join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  // npm packages have no symbolic links, and scripts of packages do not run when they are installed.
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links as { source: string; target: string }[]) {
    const path = join(native, '..', target);
    if (!existsSync(path)) linkTo(basename(source), path);
  }
  return join(native, 'bin');
}

/** Whether every user may enter a folder; a checkout may be open to its owner only. */
function isOpenToOthers(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return dirname(folder) === folder || isOpenToOthers(dirname(folder));
}

/** Answers with the folder of the copies. */
function copyPrograms(programs: string, folder: string): string {
  const native = join(folder, 'native');
  cpSync(dirname(programs), native, { recursive: true, verbatimSymlinks: true });
  return join(native, 'bin');
}

function linkTo(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(path)) throw error;
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

const nobody = 65534;

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, {
    ...unprivileged(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${basename(program)}: ${complaint.trim()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Answers once the server takes connections, not when its port is merely open. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(2_000, () => end(false));
    socket.once('error', () => end(false));
    // A start-up message of protocol 3.0; while it still recovers the answer is an error (E), later a request (R).
    const body = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1');
    const head = Buffer.alloc(4);
    head.writeInt32BE(body.length + 4);
    socket.once('connect', () => socket.write(Buffer.concat([head, body])));
    socket.once('data', (answer) => end(answer[0] === 'R'.charCodeAt(0)));
    socket.once('close', () => end(false));
  });
}
