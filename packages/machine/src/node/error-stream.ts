import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { TailBuffer } from './tail-buffer.ts';

/** A stream for a child's standard error that keeps only the last output. */
export interface ErrorStream {
  /** The standard error to start the child with. */
  readonly forChild: Socket | 'pipe';
  readonly words: TailBuffer;
  /** Must be called once the child has started, with its standard error if that is a pipe. */
  hasStarted(stderr: Readable | null): void;
  /** Resolves when every writer has closed the stream. */
  readonly closed: Promise<void>;
  close(): void;
}

const readBytes = 64 * 1024;

/** Opens a stream that is read in constant memory, however much is written to it. */
export async function openErrorStream(capacity: number): Promise<ErrorStream> {
  const words = new TailBuffer(capacity);
  // Programs on Windows cannot write to the kind of stream that is made here.
  if (process.platform === 'win32') return pipeInto(words);
  // A temporary folder may be read-only, full, or too long a path for a socket.
  return readIntoOneBuffer(words).catch(() => pipeInto(words));
}

/**
 * An ordinary pipe gets a new buffer for each read, and a child that floods it makes the host grow by
 * tens of megabytes. A socket that we connect ourselves may be read into one buffer, over and over.
 */
async function readIntoOneBuffer(words: TailBuffer): Promise<ErrorStream> {
  const buffer = Buffer.alloc(readBytes);
  // A folder only we can enter, so that nobody else can connect.
  const folder = mkdtempSync(join(tmpdir(), 'errand-'));
  const path = join(folder, 'stderr');
  const server = createServer({ pauseOnConnect: true });
  try {
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject).listen(path, resolve);
    });
    const reader = connect({
      path,
      onread: {
        buffer,
        callback: (bytes) => {
          words.push(buffer.subarray(0, bytes));
          return true;
        },
      },
    });
    // Later errors of the stream come together with the exit of the process, which is more informative.
    const failed = new Promise<never>((_resolve, reject) => reader.on('error', reject));
    const forChild = await Promise.race([accepted, failed]);
    return {
      forChild,
      words,
      hasStarted: () => forChild.destroy(),
      closed: new Promise((resolve) => reader.once('close', () => resolve())),
      close: () => reader.destroy(),
    };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function pipeInto(words: TailBuffer): ErrorStream {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let reader: Readable | null = null;
  return {
    forChild: 'pipe',
    words,
    hasStarted: (stderr) => {
      reader = stderr;
      stderr?.on('data', (chunk: Buffer) => words.push(chunk));
      stderr?.on('error', () => undefined).once('close', resolve);
    },
    closed,
    close: () => reader?.destroy(),
  };
}
