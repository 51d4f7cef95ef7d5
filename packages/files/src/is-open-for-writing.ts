import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { systemProgram } from './processes/index.ts';

/**
 * Whether any program has a file open for writing that this process has open: the kernel gives no read lease on such a
 * file. Unlike a search through all processes this costs nothing, and it sees those of other users and containers.
 * Undefined where neither the system nor its file system can be asked.
 */
export async function isOpenForWriting(descriptor: number): Promise<boolean | undefined> {
  if (process.platform !== 'linux' || isUnavailable) return undefined;
  prober ??= startProber();
  return prober?.ask(`/proc/${process.pid}/fd/${descriptor}`);
}

interface Prober {
  ask(path: string): Promise<boolean | undefined>;
}

let prober: Prober | undefined;
let isUnavailable = false;

/** A program that nobody asks for so long ends. */
const idleMs = 5_000;

/** An answer takes some microseconds. */
const patienceMs = 5_000;

/**
 * Node offers no fcntl; Perl asks for it. F_SETLEASE (1024) with F_RDLCK (0) is refused with EAGAIN (11) while somebody
 * writes, and F_UNLCK (2) gives it back at once. Whoever opens the file in between waits for that, and SIGIO says so.
 */
const script = `$SIG{IO} = 'IGNORE'; $| = 1;
while (<STDIN>) {
  chomp;
  my $answer = '?';
  if (open(my $file, '<', $_)) {
    if (fcntl($file, 1024, 0)) { fcntl($file, 1024, 2); $answer = '0' }
    elsif ($! == 11) { $answer = '1' }
  }
  print "$answer\\n";
}`;

/** Starts one program for all questions; it ends with this process, or when nobody asks any more. */
function startProber(): Prober | undefined {
  const perl = systemProgram('perl');
  if (!existsSync(perl)) {
    isUnavailable = true;
    return undefined;
  }
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(perl, ['-e', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
  const waiting: ((answer: boolean | undefined) => void)[] = [];
  const answers = child.stdout as Socket;
  const end = () => {
    if (prober === own) prober = undefined;
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  const idle = setTimeout(() => {
    if (waiting.length > 0) return void idle.refresh();
    if (prober === own) prober = undefined;
    child.stdin.end();
  }, idleMs).unref();
  createInterface(answers).on('line', (line) => {
    waiting.shift()?.(line === '0' ? false : line === '1' ? true : undefined);
    // Nobody waits: this process may end.
    if (waiting.length === 0) answers.unref();
  });
  child.on('error', () => {
    isUnavailable = true;
    end();
  });
  child.on('close', end);
  child.stdin.on('error', end);
  child.unref();
  (child.stdin as Socket).unref();
  answers.unref();
  const own: Prober = {
    ask: (path) =>
      new Promise((resolve) => {
        // A program that does not answer is ended, which answers.
        const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
        waiting.push((answer) => {
          clearTimeout(late);
          resolve(answer);
        });
        answers.ref();
        idle.refresh();
        child.stdin.write(`${path}\n`);
      }),
  };
  return own;
}
