import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileAt, replaceFile, withFileLock } from '@errand/files';
import { findProcess, pidSpace } from '@errand/files/processes';
import { findLivingOwner } from './connect-to-owner.ts';
import { type LeaseFolder, makePrivateFolder, ownerFile } from './lease-folder.ts';
import { type Listener, listenIn } from './listen-in.ts';
import { type OwnerInfo, ownerLine, readOwner } from './owner-info.ts';

/** What a program says of itself when it takes the lease. */
export type Claimant = Pick<OwnerInfo, 'program' | 'version' | 'protocol' | 'since'>;

/** The right to run the servers of a vault. Disposing of it, or the end of the process, gives it back. */
export interface Lease extends AsyncDisposable {
  readonly info: OwnerInfo;
  /** Hands every connection to the handler, greeted, including those that already wait. */
  accept(handler: (socket: Socket) => void): void;
  /** False once another program has taken the lease over, or the lease was given back. To be asked before every start of a server. */
  isHeld(): boolean;
}

/** Another program has the lease. */
export interface Held {
  readonly heldBy: OwnerInfo;
}

/** Takes the lease of a vault unless somebody has it; of all who try at once, one gets it. */
export function takeLease(
  folder: LeaseFolder,
  who: Claimant,
  signal?: AbortSignal,
): Promise<Lease | Held> {
  return claim(folder, who, undefined, signal);
}

/** Takes the lease from an owner that does not answer any more; of all who try at once, one gets it. */
export function seizeLease(
  folder: LeaseFolder,
  from: OwnerInfo,
  who: Claimant,
  signal?: AbortSignal,
): Promise<Lease | Held> {
  return claim(folder, who, from.nonce, signal);
}

async function claim(
  folder: LeaseFolder,
  who: Claimant,
  deposed: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Lease | Held> {
  const holder = async () => {
    const owner = await findLivingOwner(folder);
    return owner === undefined || owner.nonce === deposed ? undefined : { heldBy: owner };
  };
  const early = await holder();
  if (early !== undefined) return early;
  const startedAt = (await findProcess(process.pid))?.startedAt ?? '';
  makePrivateFolder(folder.path, { parents: true });
  using file = await fileAt(ownerFile(folder));
  const work = async () => {
    const held = await holder();
    if (held !== undefined) return held;
    const nonce = randomBytes(8).toString('hex');
    const listener = await listenIn(folder, nonce);
    const { pid } = process;
    const info = { ...who, pid, startedAt, space: pidSpace(), nonce, socket: listener.address };
    const lease = new OpenLease(folder, info, listener);
    const replaced = readOwner(folder);
    try {
      await replaceFile(file, ownerLine(info), { mode: 0o600 });
    } catch (error) {
      await lease[Symbol.asyncDispose]();
      throw error;
    }
    removeSocket(replaced);
    return lease;
  };
  const outcome = await withFileLock(file, work, signal);
  if ('heldBy' in outcome || outcome.isHeld()) return outcome;
  // The lock was broken meanwhile, because its holder could not be looked up from another sandbox.
  await outcome[Symbol.asyncDispose]();
  return claim(folder, who, undefined, signal);
}

/** Removes the socket that a killed owner left; its name was never used for another. */
function removeSocket(owner: OwnerInfo | undefined): void {
  if (!owner?.socket.endsWith(`${owner.nonce}.sock`)) return;
  if (lstatSync(owner.socket, { throwIfNoEntry: false })?.isSocket()) {
    rmSync(owner.socket, { force: true });
  }
}

class OpenLease implements Lease {
  readonly info: OwnerInfo;
  readonly #file: string;
  readonly #line: string;
  readonly #server: Listener['server'];
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<Socket>();
  #handler: ((socket: Socket) => void) | undefined;
  #isOpen = true;

  constructor(folder: LeaseFolder, info: OwnerInfo, { server }: Listener) {
    this.info = info;
    this.#file = ownerFile(folder);
    this.#line = ownerLine(info);
    this.#server = server;
    server.on('connection', (socket) => this.#greet(socket));
    // A connection that the system could not hand over is its client's to try again.
    server.on('error', () => {});
  }

  accept(handler: (socket: Socket) => void): void {
    this.#handler = handler;
    for (const socket of this.#waiting) handler(socket);
    this.#waiting.clear();
  }

  isHeld(): boolean {
    try {
      return this.#isOpen && readFileSync(this.#file, 'utf8') === this.#line;
    } catch {
      // What cannot be known must not start a second server.
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // An editor that closes does not wait: after these lines nobody is let in any more.
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Tells the newcomer whom it reached, before anything else is said. */
  #greet(socket: Socket): void {
    // Errors are followed by `close`, which is enough to know.
    socket.on('error', () => {});
    if (!this.isHeld()) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#waiting.delete(socket);
    });
    socket.write(this.#line);
    if (this.#handler === undefined) this.#waiting.add(socket);
    else this.#handler(socket);
  }
}
