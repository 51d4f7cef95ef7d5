import type { Clock, Host } from '@errand/host';
import type { AgentTurns } from '../bridge/agent-turns.ts';
import type { ChainTracker } from './chain-tracker.ts';

/** What the sources of events need. */
export interface SourcesPorts {
  /** The vault or repository. */
  readonly folder: string;
  /** The user's state folder, outside the vault. */
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly host: Pick<Host, 'events'> & {
    readonly servers: Pick<Host['servers'], 'find' | 'settings' | 'snapshots'>;
  };
  /** Told of every action by whoever runs it. */
  readonly chains: ChainTracker;
  /** What agents tell of their operations themselves. */
  readonly turns?: AgentTurns;
}
