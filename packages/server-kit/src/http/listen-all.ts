import type { CommandLine } from '../command-line.ts';
import type { LiveServer } from '../live-server.ts';
import type { ServedTransport } from '../served-transport.ts';
import type { AccessPolicy } from './access-policy.ts';
import { listen } from './listen.ts';

/** Serves every port that was asked for; transports that name the same port share it. */
export async function listenAll(
  live: LiveServer,
  ports: CommandLine['ports'],
  host: string,
  policy: AccessPolicy,
): Promise<readonly ServedTransport[]> {
  const shared = Map.groupBy(ports, ({ type, port }) => (port === 0 ? type : port));
  const opened: ServedTransport[] = [];
  try {
    for (const group of shared.values()) {
      const [first] = group;
      const types = group.map(({ type }) => type);
      opened.push(...(await listen(live, { host, port: first?.port ?? 0, types, policy })));
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map((transport) => transport.close()));
    throw error;
  }
}
