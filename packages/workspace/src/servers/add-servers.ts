import { type ServerConfig, withServer } from '@errand/host';
import type { ChangeServerPorts } from './change-server.ts';

export interface AddOptions {
  readonly signal?: AbortSignal;
  /** Whether adding them is the agreement to start them (D17); unless it is false, it is. */
  readonly isAgreed?: boolean;
}

/**
 * Stores entries that a person made or chose on this machine, and lets that take effect at once. They are
 * made from the entries that are stored now.
 */
export async function addServers(
  { settings, host, trust }: ChangeServerPorts,
  make: (stored: readonly ServerConfig[]) => readonly ServerConfig[],
  { signal, isAgreed = true }: AddOptions = {},
): Promise<readonly ServerConfig[]> {
  let added: readonly ServerConfig[] = [];
  const saved = await settings.save((all) => {
    added = make(all.mcpServers);
    return added.reduce(withServer, all);
  }, signal);
  try {
    if (isAgreed) await trust.agree(added);
  } finally {
    host.servers.apply(saved);
  }
  return added;
}
