import type { Host } from '@errand/host';
import type { ServerTests } from './server-tests.ts';

interface ServersPorts {
  readonly host: Host;
  readonly tests: ServerTests;
}

/** The names of servers that are lost, or were given up. */
export function troubledServers({ host }: Pick<ServersPorts, 'host'>): readonly string[] {
  return host.servers
    .snapshots()
    .filter(({ autoDisabled, connectionState }) => autoDisabled || connectionState === 'error')
    .map(({ config }) => config.name);
}

/** Calls back whenever a server, its tools or its test changed. */
export function onServersChange({ host, tests }: ServersPorts, listener: () => void): () => void {
  const unsubscribe = [
    tests.subscribe(listener),
    host.events.subscribe(({ kind }) => {
      if (!kind.startsWith('call')) listener();
    }),
  ];
  return () => {
    for (const each of unsubscribe) each();
  };
}
