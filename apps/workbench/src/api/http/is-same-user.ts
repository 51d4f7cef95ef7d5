import { readFile } from 'node:fs/promises';

/** A connection within this machine, by the ports at its ends. */
export interface LocalConnection {
  readonly clientPort: number;
  readonly serverPort: number;
}

/**
 * Whether the client at the other end of a connection to 127.0.0.1 runs as this user, by the kernel's table of
 * sockets. Root counts: it can read everything anyway, and forwards ports for others, as WSL does.
 * False where there is no such table.
 */
export async function isSameUser(connection: LocalConnection): Promise<boolean> {
  const user = process.getuid?.();
  const client = address(connection.clientPort);
  const server = address(connection.serverPort);
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const [, local = '', remote = '', , , , , owner] = line.trim().split(/\s+/);
      if (!local.endsWith(client) || !remote.endsWith(server)) continue;
      return owner === String(user) || owner === '0';
    }
  }
  return false;
}

/** As the table ends both 127.0.0.1 and its form as an IPv6 address. */
function address(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
