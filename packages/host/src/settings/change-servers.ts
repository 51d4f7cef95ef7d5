import type { ServerConfig, Settings } from '../settings.ts';

/** The parts of an entry that a person decides; the rest is the host's. */
export type NewServer = Pick<ServerConfig, 'name' | 'transport' | 'deploymentType'> &
  Partial<ServerConfig>;

/** An entry as it is first stored: switched off until it was seen to work (D16). */
export function newServer(server: NewServer, id: string): ServerConfig {
  return {
    sectionBindings: [],
    ...server,
    id,
    enabled: false,
    failureCount: 0,
    autoDisabled: false,
  };
}

export function withServer(settings: Settings, server: ServerConfig): Settings {
  return { ...settings, mcpServers: [...settings.mcpServers, server] };
}

/** The settings with one server changed; whatever else somebody wrote meanwhile stays. */
export function withChangedServer(
  settings: Settings,
  id: string,
  change: (server: ServerConfig) => ServerConfig,
): Settings {
  return {
    ...settings,
    mcpServers: settings.mcpServers.map((server) => (server.id === id ? change(server) : server)),
  };
}

export function withoutServer(settings: Settings, id: string): Settings {
  return { ...settings, mcpServers: settings.mcpServers.filter((server) => server.id !== id) };
}
