import { escapeControls } from '@errand/document/display';
import { runErrand } from './errand.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { errorPaint, screenOutput } from './screen-output.ts';

/** How long everything may take to end after a defect. */
const patienceMs = 20_000;

const stopping = new AbortController();
let failure: ExitCode | undefined;
let isOutputAbandoned = false;

/** Runs the command line of this process, and ends it gracefully whatever happens. */
export async function startErrand(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  // Started through the launcher on another Node: when that one is killed, this one leaves too.
  process.on('disconnect', () => stopping.abort());
  process.channel?.unref();

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that leaves early (`errand history | head`) and a terminal that was closed are no failures.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') {
      process.stderr.write(`The output cannot be written: ${error.message}\n`);
      markFailed();
    }
    stopping.abort();
  });
  // There is nowhere left to report to.
  process.stderr.on('error', () => {});

  const paintError = errorPaint(process.stderr, process.env);
  const ended = await runErrand(process.argv.slice(2), {
    terminal: {
      stdin: process.stdin,
      stdout: screenOutput(process.stdout, process.env),
      ...(!process.stdout.isTTY && { rawOutput: process.stdout }),
      stderr: process.stderr,
      ...(paintError && { paintError }),
      env: process.env,
      cwd: process.cwd(),
      interrupt: stop,
      abandonOutput: () => {
        isOutputAbandoned = true;
      },
    },
    signal: stopping.signal,
  }).catch(fail);
  process.exitCode = failure ?? ended ?? exitCode.failed;
  if (isOutputAbandoned) process.exit();
}

/** The first signal ends everything gracefully, the second at once. */
function stop(): void {
  if (stopping.signal.aborted) process.exit(failure ?? exitCode.cancelled);
  stopping.abort();
}

/**
 * The last resort, behind the guards of every connection, timer and listener. Nobody knows what such a defect
 * left half done, so the program does not go on; but it leaves no server running, also when more fails while
 * they are ended. What takes too long even then is ended by the next host.
 */
function fail(error: unknown): void {
  const words = error instanceof Error ? error.stack : typeof error;
  process.stderr.write(
    `Errand failed unexpectedly. Please report this:\n${escapeControls(words ?? '')}\n`,
  );
  markFailed();
  if (stopping.signal.aborted) return;
  stopping.abort();
  setTimeout(() => process.exit(exitCode.failed), patienceMs).unref();
}

/** Also counts when the command itself has already ended, and only its output was still on its way. */
function markFailed(): void {
  failure = exitCode.failed;
  process.exitCode = failure;
}
