import type { ServerConfig, Settings } from '../settings.ts';
import type { LoadedSettings, SettingsStore } from '../settings-store.ts';

/** Settings in memory; `change` is another program writing the file. */
export class MemorySettings implements SettingsStore {
  current: Settings;
  saves = 0;
  readonly #listeners = new Set<() => void>();

  constructor(settings: Partial<Settings> = {}) {
    this.current = { ...defaults, ...settings };
  }

  async load(): Promise<LoadedSettings> {
    return { ...this.current, problems: [] };
  }

  async save(change: (current: Settings) => Settings): Promise<LoadedSettings> {
    this.current = change(this.current);
    this.saves += 1;
    return this.load();
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(change: Partial<Settings>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.#listeners) listener();
  }

  changeServer(id: string, change: Partial<ServerConfig>): void {
    this.change({
      mcpServers: this.current.mcpServers.map((server) =>
        server.id === id ? { ...server, ...change } : server,
      ),
    });
  }
}

/** A registered and enabled local server whose id is its name. */
export function localServer(name: string, entry: Partial<ServerConfig> = {}): ServerConfig {
  return {
    id: name,
    name,
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: { command: name },
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
    ...entry,
  };
}

const defaults: Settings = {
  version: 1,
  mcpServers: [],
  mcpGlobalTimeout: 30_000,
  mcpConcurrentLimit: 25,
  mcpSessionLimit: 25,
  onError: 'replace',
  attachmentsFolder: 'Attachments/errand',
  logParameters: false,
  logDays: 30,
  logMegabytes: 100,
  discovery: [],
};
