import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../mcp/line-splitter.ts';
import type { Gateway } from './gateway.ts';
import { StdioClient } from './stdio-client.ts';

export interface StdioOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  /** What an address would say after its question mark: `note=…&line=…`. */
  readonly query?: string;
  readonly signal?: AbortSignal;
}

const lineLimit = 4 * 1024 * 1024;

/** Offers a gateway to the program that started this one; resolves when that has gone. */
export function serveOnStdio(gateway: Gateway, options: StdioOptions = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout, query = '', signal } = options;
  let isWaiting = false;
  const send = (line: string) => {
    if (output.write(`${line}\n`) || isWaiting) return;
    // Who does not read the answers gets to ask nothing more.
    isWaiting = true;
    input.pause();
    output.once('drain', () => {
      isWaiting = false;
      input.resume();
    });
  };
  const notify = (line: string) => {
    if (!output.writableNeedDrain) send(line);
  };
  const client = new StdioClient({ gateway, query, send, notify });
  const splitter = new LineSplitter(lineLimit, {
    line: (line) => client.take(line.toString()),
    tooLong: ({ bytes }) => client.refuse(`${bytes} bytes; a message may have ${lineLimit}.`),
  });
  const take = (chunk: Buffer) => splitter.push(chunk);
  return new Promise((resolve) => {
    const leave = () => {
      input.off('data', take);
      client[Symbol.dispose]();
      resolve();
    };
    input.on('data', take).once('end', leave).once('error', leave);
    // A client that died may still be written to; that is noticed here.
    output.once('error', leave);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
  });
}
