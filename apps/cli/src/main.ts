import { runErrand } from './errand.ts';
import { exitCode } from './exit-code.ts';

const stopping = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The first asks everything to end well; whoever asks again does not want to wait.
    if (stopping.signal.aborted) process.exit(exitCode.cancelled);
    stopping.abort();
  });
}

// Started through the launcher on another Node: when that one is killed, this one leaves too.
process.on('disconnect', () => stopping.abort());
process.channel?.unref();

// A reader that leaves early (`errand history | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  stopping.abort();
});

process.exitCode = await runErrand(process.argv.slice(2), {
  terminal: {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
  },
  signal: stopping.signal,
});
