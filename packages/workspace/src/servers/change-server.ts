import {
  type Host,
  type ServerConfig,
  type SettingsStore,
  type Trust,
  withChangedServer,
  withoutServer,
} from '@errand/host';
import { saveSettings } from '../settings/index.ts';

export interface ChangeServerPorts {
  readonly settings: SettingsStore;
  readonly host: Pick<Host, 'servers'>;
  readonly trust: Pick<Trust, 'verdict' | 'agree'>;
}

/** An entry after a person changed it, and whether it may be started. */
interface ChangedServer {
  readonly entry: ServerConfig;
  readonly isTrusted: boolean;
}

/**
 * Changes an entry as it is stored now, also when another program has just written it, and lets that take
 * effect at once. What was agreed to before is agreed to as it was changed. Nothing when it is gone.
 */
export async function changeServer(
  { settings, host, trust }: ChangeServerPorts,
  id: string,
  change: (server: ServerConfig, stored: readonly ServerConfig[]) => ServerConfig,
  signal?: AbortSignal,
): Promise<ChangedServer | undefined> {
  let isTrusted = false;
  const saved = await settings.save(
    (all) =>
      withChangedServer(all, id, (now) => {
        // A form does not show all of an entry, so it is no agreement to what came with the vault.
        // The stored verdict: approval for a single run does not last.
        isTrusted = trust.verdict(now) === 'trusted';
        return change(now, all.mcpServers);
      }),
    signal,
  );
  const entry = saved.mcpServers.find((server) => server.id === id);
  try {
    // Before it takes effect: a running server restarts at once, and would be refused.
    if (entry !== undefined && isTrusted) await trust.agree([entry]);
  } finally {
    host.servers.apply(saved);
  }
  return entry && { entry, isTrusted };
}

/** Removes an entry, and lets that take effect at once. */
export async function removeServer(
  ports: Pick<ChangeServerPorts, 'settings' | 'host'>,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  await saveSettings(ports, (all) => withoutServer(all, id), signal);
}
