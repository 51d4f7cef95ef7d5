import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describeFault, HostError, within } from '@errand/host';
import type { LinePipe } from '../mcp/line-pipe.ts';
import { serverEnded } from '../mcp/server-ended.ts';
import { recordChild } from './child-record.ts';
import { endProcessTree, type ShutdownTimes } from './end-process-tree.ts';
import { type ErrorStream, openErrorStream } from './error-stream.ts';
import type { LocalLaunch } from './plan-local-launch.ts';
import { describeTree, startChild, startProblem } from './start-child.ts';

interface ServerProcessOptions extends LocalLaunch {
  /** The server's name, for messages. */
  readonly server: string;
  /** The folder where children are written down for the next host. */
  readonly childrenFolder: string;
  readonly shutdownTimes: ShutdownTimes;
  /** A last check before the start; throws when it must not start. */
  readonly beforeStart?: () => void;
}

const lastOutputBytes = 64 * 1024;

/** Output still on its way when a process exits is read for this long. */
const drainMs = 50;

/** The output of a process that exits closes a moment before; longer than this, it lives on without. */
const exitMs = 250;

/** Starts a server as a child in a process group of its own. It ends with everything it started. */
export async function startServerProcess(options: ServerProcessOptions): Promise<LinePipe> {
  const { server, shutdownTimes } = options;
  const mark = randomUUID();
  const errors = await openErrorStream(lastOutputBytes);
  const child = await spawned(options, errors, mark);
  const { stdin, stdout } = child;
  // Errors of a stream come together with the exit of the process, which is more informative.
  for (const stream of [stdin, stdout]) stream.on('error', () => undefined);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const outputClosed = new Promise<void>((resolve) => stdout.once('close', resolve));

  // Not awaited: on some systems it takes half a second.
  const tree = describeTree(child.pid ?? 0, mark);
  // On a full disk the server still runs; only the next host could not clean up after a crash.
  const strikeOut = tree
    .then((known) => recordChild(options.childrenFolder, known, server))
    .catch(() => undefined);

  const ended = Promise.race([exited, outputClosed]).then(async () => {
    // The last output is read, unless a grandchild holds the streams open.
    await within(Promise.all([outputClosed, errors.closed]), drainMs);
    const { code, signal } = (await within(exited, exitMs)) ?? {};
    return serverEnded('server_unavailable', {
      server,
      exitCode: code ?? undefined,
      signal: signal ?? undefined,
      lastOutput: errors.words.text(),
    });
  });
  let stopping: Promise<void> | undefined;
  const end = () => {
    stopping ??= (async () => {
      stdin.end();
      await within(exited, shutdownTimes.afterEndOfInput);
      await endProcessTree(await tree, shutdownTimes);
      await within(exited, exitMs);
      for (const stream of [stdin, stdout]) stream.destroy();
      errors.close();
      (await strikeOut)?.();
    })();
    return stopping;
  };
  const note = (line: string) => errors.words.push(Buffer.from(`${line}\n`));
  // What a server started does not outlive it, however it went.
  ended.then(end).catch((error: unknown) => note(`[errand] ${describeFault(error)}`));
  return {
    input: stdin,
    output: stdout,
    ended,
    lastOutput: () => errors.words.text(),
    note,
    end,
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function spawned(
  options: ServerProcessOptions,
  errors: ErrorStream,
  mark: string,
): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(cannotStart(error as NodeJS.ErrnoException, options));
    try {
      options.beforeStart?.();
      const child = startChild(options, mark, errors.forChild) as ChildProcessWithoutNullStreams;
      child.on('error', fail).once('spawn', () => resolve(child));
      errors.hasStarted(child.stderr);
    } catch (error) {
      // Some failures are thrown, such as a command line that is too long.
      errors.hasStarted(null);
      fail(error);
    }
  });
}

function cannotStart(error: NodeJS.ErrnoException, options: ServerProcessOptions): HostError {
  if (error instanceof HostError) return error;
  const { server } = options;
  return new HostError(
    'server_unavailable',
    `Server "${server}" cannot start: ${startProblem(error, options, 'the settings')}`,
    { server, neverSent: true },
    { cause: error },
  );
}
