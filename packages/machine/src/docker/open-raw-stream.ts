import { connect, type OnReadOpts, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { EngineAddress } from './engine-address.ts';

const readBytes = 64 * 1024;
const endOfHead = '\r\n\r\n';
/** An answer that begins with more than this is not an engine's. */
const longestHead = 64 * 1024;

/** A connection that carries a container's streams in both directions. */
export interface RawStream {
  readonly socket: Socket;
  /** Takes what comes. A chunk holds only during the call; false pauses until `socket.resume()`. */
  read(onChunk: (chunk: Buffer) => boolean): void;
}

/**
 * Asks an engine to turn the connection of a POST into a stream; nothing comes of it when it says no.
 * `node:http` would read the stream into a new buffer each time, and a container that floods its log
 * would make the host grow by half of that. So the request is written by hand, and everything is read
 * into one buffer, over and over.
 */
export async function openRawStream(
  address: EngineAddress,
  path: string,
): Promise<RawStream | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<RawStream | undefined>();
  const buffer = Buffer.alloc(readBytes);
  let answer = Buffer.alloc(0);
  let onChunk: ((chunk: Buffer) => boolean) | undefined;
  const take = (chunk: Buffer): boolean => {
    if (onChunk !== undefined) return onChunk(chunk);
    answer = Buffer.concat([answer, chunk]);
    const end = answer.indexOf(endOfHead);
    if (end === -1 && answer.length < longestHead) return true;
    if (!answer.toString('latin1', 0, 16).startsWith('HTTP/1.1 101 ')) socket.destroy();
    else
      resolve({ socket, read: (taker) => begin(taker, answer.subarray(end + endOfHead.length)) });
    // Nothing more is read until somebody takes it.
    return false;
  };
  const begin = (taker: (chunk: Buffer) => boolean, first: Buffer) => {
    onChunk = taker;
    // What came together with the answer belongs to the stream.
    if (first.length === 0 || taker(first)) socket.resume();
  };
  const socket = await open(address, {
    buffer,
    callback: (bytes) => take(buffer.subarray(0, bytes)),
  });
  socket.on('error', reject);
  socket.once('close', () => resolve(undefined));
  const head = ['Host: docker', 'Connection: Upgrade', 'Upgrade: tcp', 'Content-Length: 0'];
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}${endOfHead}`);
  return promise;
}

async function open(
  { socketPath, host, port, tls }: EngineAddress,
  onread: OnReadOpts,
): Promise<Socket> {
  if (socketPath !== undefined) return connect({ path: socketPath, onread });
  const target = { host, port, onread } as TcpNetConnectOpts;
  if (tls === undefined) return connect(target);
  // Importing it reads every certificate that Node brings along, and few engines are reached this way.
  const { connect: connectByTls } = await import('node:tls');
  return connectByTls({ ...target, ...tls } as ConnectionOptions);
}
