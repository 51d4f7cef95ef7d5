import type { ApprovalRule, CallLog, Host, HostRole, ServerConfig, ToolHints } from '@errand/host';
import type { AttachPorts } from './attached-host.ts';
import type { OwnedVaultPorts } from './owned-vault.ts';

/** What a program supplies to take part in a vault. */
export interface SharePorts
  extends Omit<AttachPorts, 'face' | 'onServiceEvent'>,
    Pick<OwnedVaultPorts, 'onFace' | 'openServices'> {
  /** The vault's folder. */
  readonly vault: string;
  readonly stateFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly program: string;
  readonly version: string;
  /**
   * `first`: before editors, which hand over to it. `editor`: while no program that owns first is there. `never`:
   * attaches, or runs its own host for the time it takes.
   */
  readonly owns: 'first' | 'editor' | 'never';
  readonly hints: ToolHints;
  readonly approvalOf: (server: ServerConfig) => ApprovalRule;
  readonly check: Host['check'];
  /** Where calls are recorded that were lost with their owner. */
  readonly log: Pick<CallLog, 'append'>;
  readonly openHost: (role: HostRole) => Promise<Host>;
  /** Reads settings and agreements again and applies them to a host of this process. */
  readonly refresh: (host: Host) => Promise<void>;
}
