import type { Turns } from './files/turns.ts';
import type { Vault } from './files/vault.ts';
import type { VaultLock } from './files/vault-lock.ts';
import type { IndexClient } from './index/index-client.ts';

/** What the tools of one vault share. */
export interface VaultContext {
  readonly vault: Vault;
  readonly lock: VaultLock;
  /** Orders the changes of one note, so that they do not get in each other's way. */
  readonly turns: Turns;
  readonly index: Pick<IndexClient, 'ask' | 'changed'>;
}
