import type { StateDescription } from '@errand/workspace/servers';
import type { OpenVault } from '../open-vault.ts';
import { describeState } from '../text/describe-state.ts';

type ServersPorts = Pick<OpenVault, 'host' | 'tests'>;

/** Describes a server's state. */
export function stateOf({ host, tests }: ServersPorts, serverId: string): StateDescription {
  return describeState(host.servers.snapshot(serverId), tests.of(serverId));
}
