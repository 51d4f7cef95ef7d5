import type { Readable, Writable } from 'node:stream';
import { catchFaults, faultNotice, within } from '@errand/host';
import { onAbort } from '@errand/wire';
import { FullPipe, LineSplitter, LineWriter, type LongLine } from '@errand/wire/node';
import type { Gateway } from './gateway.ts';
import { graceMs, shutdown } from './shutdown.ts';
import { StdioClient } from './stdio-client.ts';
import { defaultUnsentLimits } from './unsent-answers.ts';

interface StdioOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  /** What an address would say after its question mark: `note=…&line=…`. */
  readonly query?: string;
  /** Begins the name of the client's session: what started this program, for those who follow calls. */
  readonly sessionPrefix?: string;
  readonly signal?: AbortSignal;
  /** Bytes that may wait for a client that does not read. */
  readonly unsentLimit?: number;
}

const lineLimit = 4 * 1024 * 1024;

/** `unread` when answers wait that the client will not take: they must not keep the program alive. */
export type StdioEnd = 'finished' | 'unread';

/**
 * Offers a gateway to the program that started this one. Resolves when that has gone, or has ended its input
 * and been sent all its answers.
 */
export function serveOnStdio(gateway: Gateway, options: StdioOptions = {}): Promise<StdioEnd> {
  const { input = process.stdin, output = process.stdout, query = '', signal } = options;
  const { unsentLimit = defaultUnsentLimits.perClient, sessionPrefix = '' } = options;
  const { notifier } = gateway;
  const { promise: left, resolve } = Promise.withResolvers<StdioEnd>();
  let isOver = false;
  const writer = new LineWriter(output, { maxWaiting: unsentLimit, input });
  const send = (line: string) => {
    if (isOver) return;
    writer.writeTogether(`${line}\n`).catch(({ cause }) => {
      // A broken pipe is noticed by the output's own event.
      if (isOver || !(cause instanceof FullPipe)) return;
      notifier.notify(doesNotRead(writer.waiting));
      leave('unread');
    });
  };
  const notify = (line: string) => {
    if (!output.writableNeedDrain) send(line);
  };
  const client = new StdioClient({ gateway, query, sessionPrefix, send, notify });
  const onFault = (error: unknown) =>
    notifier.notify(faultNotice('A message of the client could not be handled', error));
  const splitter = new LineSplitter(lineLimit, {
    line: catchFaults((line: Buffer) => client.take(line), onFault),
    tooLong: catchFaults((line: LongLine) => client.refuse(line), onFault),
  });
  const take = (chunk: Buffer) => splitter.push(chunk);
  /** The client no longer reads responses. */
  const leave = (end: StdioEnd) => {
    isOver = true;
    // A stream that is still read from would keep the program alive.
    input.off('data', take).pause();
    writer[Symbol.dispose]();
    client[Symbol.dispose]();
    resolve(end);
  };
  /** Everything that was asked is answered first; each request has its deadline. */
  const finish = async () => {
    // A last line need not end with a newline.
    splitter.end();
    client.endInput();
    await client.idle();
    leave('finished');
  };
  const stop = async () => {
    client.cancelAll(shutdown);
    await within(client.idle(), graceMs);
    leave(writer.waiting > 0 ? 'unread' : 'finished');
  };
  input.on('data', take).once('end', () => void finish());
  input.once('error', () => leave('finished'));
  // A client that died may still be written to; that is noticed here.
  output.once('error', () => leave('finished'));
  onAbort(signal, () => void stop());
  return left;
}

function doesNotRead(bytes: number) {
  const size = `${Math.round(bytes / 1024 / 1024)} MiB`;
  return {
    level: 'error',
    message: `The client of the gateway did not read its answers and was cut off: ${size} waited for it.`,
    detail: 'The client should read answers as they come, or ask for less at once.',
  } as const;
}
