import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { OwnerError } from '../owner-error.ts';
import { type LeaseFolder, makePrivateFolder, socketAddress } from './lease-folder.ts';

/** A server that listens at an address of its own. */
export interface Listener {
  readonly server: Server;
  readonly address: string;
}

/** Listens in the first folder that takes a socket; not every disk does. */
export async function listenIn(folder: LeaseFolder, nonce: string): Promise<Listener> {
  let failure: unknown;
  for (const path of folder.socketFolders) {
    const address = socketAddress(path, folder, nonce);
    const server = createServer();
    try {
      if (process.platform !== 'win32') makePrivateFolder(path);
      server.listen(address);
      await once(server, 'listening');
      await reach(server, address);
      return { server, address };
    } catch (error) {
      server.close();
      failure = error;
    }
  }
  if (failure instanceof OwnerError) throw failure;
  const tried = folder.socketFolders.join(', ');
  throw new OwnerError(
    'no_socket',
    folder.path,
    `No folder of this machine takes a socket for the owner of this vault; tried ${tried}. ` +
      'Point TMPDIR at a folder on a local disk, with a path under 60 characters, and try again.',
    { cause: failure },
  );
}

/** Some disks that several systems share let a socket be bound that nobody can connect to. */
async function reach(server: Server, address: string): Promise<void> {
  const signal = AbortSignal.timeout(2_000);
  const client = connect(address);
  try {
    const [[accepted]] = await Promise.all([
      once(server, 'connection', { signal }),
      once(client, 'connect', { signal }),
    ]);
    accepted.destroy();
  } finally {
    client.destroy();
  }
}
