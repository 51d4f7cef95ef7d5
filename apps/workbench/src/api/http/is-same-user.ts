import { readFile } from 'node:fs/promises';

/** A connection within this machine, by its ends. */
export interface LocalConnection {
  readonly clientAddress: string;
  readonly clientPort: number;
  readonly serverPort: number;
}

/**
 * Whether the client at the other end of a connection to 127.0.0.1 runs as this user, by the kernel's table of
 * sockets. Root counts: it can read everything anyway, and forwards ports for others, as WSL does.
 * False where there is no such table.
 */
export async function isSameUser(connection: LocalConnection): Promise<boolean> {
  // All of 127.0.0.0/8 is this machine: another end could have the port of somebody else's.
  if (!/^(::ffff:)?127\.0\.0\.1$/.test(connection.clientAddress)) return false;
  const user = process.getuid?.();
  const client = address(connection.clientPort);
  const server = address(connection.serverPort);
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const fields = line.trim().split(/\s+/);
      const [, local = '', remote = '', state, , , , owner, , inode] = fields;
      if (!local.endsWith(client) || !remote.endsWith(server)) continue;
      // A connection that was closed is kept for a while, as nobody's, which the table writes as root's.
      if (state !== established || inode === '0') continue;
      return owner === String(user) || owner === '0';
    }
  }
  return false;
}

const established = '01';

/** As the table ends both 127.0.0.1 and its form as an IPv6 address. */
function address(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
