import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { HostError } from '../host-error.ts';
import { within } from '../within.ts';
import { childEnvironment } from './child-environment.ts';
import { recordChild } from './child-record.ts';
import { type EndingTimes, endProcessTree } from './end-process-tree.ts';
import { findProcess, markVariable } from './process-table.ts';
import { TailBuffer } from './tail-buffer.ts';

export interface ServerProcessOptions {
  /** The server's name, for messages. */
  readonly server: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
  readonly cwd: string;
  /** The folder where children are written down for the next host. */
  readonly childrenFolder: string;
  readonly endingTimes: EndingTimes;
}

/** A server that runs as our child, with its standard streams. */
export interface ServerProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with what became of it when it ends, whoever ended it. */
  readonly ended: Promise<HostError>;
  lastWords(): string;
  /** Adds a line of our own to its last words. */
  note(line: string): void;
  /** Ends it and everything it started; resolves when nothing of it runs. */
  end(): Promise<void>;
}

const lastWordsBytes = 64 * 1024;

/** Output still on its way when a process exits is read for this long. */
const drainMs = 50;

/** Starts a server in a process group of its own. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { server, command, args, cwd, endingTimes } = options;
  const mark = randomUUID();
  const child = spawn(command, [...args], {
    cwd,
    env: { ...childEnvironment(options.path, options.env), [markVariable]: mark },
    stdio: ['pipe', 'pipe', 'pipe'],
    // On Windows a group is not needed to end a tree, and a detached child would open a window.
    detached: process.platform !== 'win32',
    windowsHide: true,
  }) as ChildProcessWithoutNullStreams;
  const { stdin, stdout, stderr } = child;
  const words = new TailBuffer(lastWordsBytes);
  stderr.on('data', (chunk: Buffer) => words.push(chunk));
  // Errors of a stream come together with the end of the process, which tells more.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);

  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(error, options)));
  });
  const pid = child.pid ?? 0;
  const tree = { pid, mark, startedAt: (await findProcess(pid))?.startedAt ?? '' };
  const strikeOut = await recordChild(options.childrenFolder, tree, server);

  const ended = exited.then(async ({ code, signal }) => {
    await drained(stdout, stderr);
    return hasEnded(server, code, signal, words.text());
  });

  let ending: Promise<void> | undefined;
  const end = async () => {
    stdin.end();
    await within(exited, endingTimes.afterEndOfInput);
    await endProcessTree(tree, endingTimes);
    await exited;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    strikeOut();
  };
  const endOnce = () => {
    ending ??= end();
    return ending;
  };
  // What a server started does not outlive it, however it went.
  void exited.then(endOnce);
  return {
    input: stdin,
    output: stdout,
    ended,
    lastWords: () => words.text(),
    note: (line) => words.push(Buffer.from(`${line}\n`)),
    end: endOnce,
  };
}

function drained(...streams: readonly Readable[]): Promise<unknown> {
  const ends = streams.map((stream) =>
    stream.readableEnded || stream.destroyed
      ? Promise.resolve()
      : new Promise((resolve) => stream.once('close', resolve)),
  );
  // A grandchild may hold the stream open, so its end is not waited for.
  return within(Promise.all(ends), drainMs);
}

function hasEnded(
  server: string,
  code: number | null,
  signal: NodeJS.Signals | null,
  lastWords: string,
): HostError {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return new HostError(
    'server_unavailable',
    `Server "${server}" ended by itself (${how}). See what it wrote last, and try it with: errand servers test ${server}`,
    { server, lastWords, ...(code === null ? {} : { exitCode: code }) },
  );
}

function cannotStart(error: NodeJS.ErrnoException, options: ServerProcessOptions): HostError {
  const { server, command, cwd } = options;
  return new HostError(
    'server_unavailable',
    `Server "${server}" cannot start: ${reasonFor(error.code, command, cwd) ?? error.message}`,
    { server, neverSent: true },
    { cause: error },
  );
}

function reasonFor(code: string | undefined, command: string, cwd: string): string | undefined {
  // The system blames the command when the folder is missing.
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return `its folder ${cwd} does not exist. Make it, or change "cwd" in the settings.`;
  }
  if (code === 'ENOENT') {
    return /[\\/]/.test(command)
      ? `there is no program at ${command}. Correct "command" in the settings.`
      : `there is no program "${command}" on the PATH. Install it, or write its full path as "command" in the settings.`;
  }
  if (code === 'EACCES') {
    return `${command} may not be run. Make it executable (chmod +x), or put the program that runs it (node, python) in front.`;
  }
  return undefined;
}
