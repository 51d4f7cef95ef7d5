import type { StateDescription } from '@errand/workspace/servers';
import type { OpenVault } from '../open-vault.ts';
import { describeState } from '../text/describe-state.ts';

type ServersPorts = Pick<OpenVault, 'host' | 'tests'>;

/** Describes a server's state. */
export function stateOf({ host, tests }: ServersPorts, serverId: string): StateDescription {
  return describeState(host.servers.snapshot(serverId), tests.of(serverId));
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
