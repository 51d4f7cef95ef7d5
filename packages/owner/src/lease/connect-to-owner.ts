import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { onAbort } from '@errand/wire';
import { OwnerError } from '../owner-error.ts';
import { isPrivateFolder, type LeaseFolder } from './lease-folder.ts';
import { type OwnerInfo, parseOwner, readOwner } from './owner-info.ts';

/** What became of an attempt to reach the owner of a vault. */
export type OwnerContact =
  /** The greeting has been read from the socket; what comes next is the owner's first message. */
  | { readonly status: 'connected'; readonly socket: Socket; readonly owner: OwnerInfo }
  /** Nobody listens, whatever a crash left behind. */
  | { readonly status: 'nobody' }
  /** The owner's process is there but did not answer in time: it is stopped, hangs, or is very busy. */
  | { readonly status: 'silent'; readonly owner: OwnerInfo };

export interface ContactOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds that the owner has to greet. */
  readonly patience?: number;
}

/** Connects to the owner of a vault and waits for its greeting. Throws when other users could pose as the owner. */
export async function connectToOwner(
  folder: LeaseFolder,
  { signal, patience = 1_500 }: ContactOptions = {},
): Promise<OwnerContact> {
  signal?.throwIfAborted();
  const owner = isPrivateFolder(folder.path) ? readOwner(folder) : undefined;
  const socket = owner === undefined ? 'refused' : await openSocket(owner);
  if (owner === undefined || socket === 'refused') return { status: 'nobody' };
  if (socket === 'busy') return { status: 'silent', owner };
  const greeting = await readGreeting(socket, patience, signal);
  if (typeof greeting === 'object' && greeting.nonce === owner.nonce) {
    return { status: 'connected', socket, owner: greeting };
  }
  socket.destroy();
  return greeting === 'closed' ? { status: 'nobody' } : { status: 'silent', owner };
}

/**
 * Who listens for a vault right now. The system closes a socket with its process, so this needs neither process
 * ids, which are used again, nor clocks, which are set back.
 */
export async function findLivingOwner(folder: LeaseFolder): Promise<OwnerInfo | undefined> {
  const owner = isPrivateFolder(folder.path) ? readOwner(folder) : undefined;
  if (owner === undefined) return undefined;
  const socket = await openSocket(owner);
  if (typeof socket === 'object') socket.destroy();
  return socket === 'refused' ? undefined : owner;
}

/** Nobody listens any more; a reset comes from an owner that ended just now. */
const gone: readonly string[] = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTSOCK', 'ENOTDIR'];

function openSocket({ socket: path }: OwnerInfo): Promise<Socket | 'refused' | 'busy'> {
  if (process.platform !== 'win32' && !isPrivateFolder(dirname(path))) {
    return Promise.resolve('refused');
  }
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      // Errors are followed by `close`, which is enough to know.
      socket.off('error', failed).on('error', () => {});
      resolve(socket);
    });
    socket.once('error', failed);
    function failed(cause: NodeJS.ErrnoException) {
      const code = cause.code ?? '';
      if (gone.includes(code)) resolve('refused');
      // The queue of connections is full: the owner is there and does not take them.
      else if (['EAGAIN', 'EBUSY', 'ETIMEDOUT'].includes(code)) resolve('busy');
      else reject(unreachable(path, cause));
    }
  });
}

function unreachable(path: string, cause: NodeJS.ErrnoException): OwnerError {
  const message =
    `The program that owns this vault listens on ${path}, which cannot be opened (${cause.code}). ` +
    'End that program, or run as the same user, and try again.';
  return new OwnerError('unreachable', path, message, { cause });
}

const maxGreeting = 16_384;

/** Reads the line that an owner begins with and leaves everything behind it in the socket. */
function readGreeting(
  socket: Socket,
  patience: number,
  signal: AbortSignal | undefined,
): Promise<OwnerInfo | 'closed' | 'silent'> {
  const { promise, resolve, reject } = Promise.withResolvers<OwnerInfo | 'closed' | 'silent'>();
  let read = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf('\n');
    if (end === -1 && read.length < maxGreeting) return;
    socket.off('data', onData).pause();
    const rest = read.subarray(end + 1);
    if (rest.length > 0) socket.unshift(rest);
    resolve(parseOwner(read.toString('utf8', 0, Math.max(end, 0))) ?? 'silent');
  };
  const onClose = () => resolve('closed');
  socket.on('data', onData).on('close', onClose);
  const timer = setTimeout(() => resolve('silent'), patience);
  const aborted = onAbort(signal, (reason) => {
    socket.destroy();
    reject(reason);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    aborted[Symbol.dispose]();
    socket.off('data', onData).off('close', onClose);
  });
}
