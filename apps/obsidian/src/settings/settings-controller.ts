import {
  type HostEvent,
  type ServerConfig,
  type ServerSnapshot,
  type Settings,
  type ShownLaunch,
  suggestSecretName,
} from '@errand/host';
import {
  addServers,
  approveServers,
  changeServer,
  type RunningTest,
  removeServer,
} from '@errand/workspace/servers';
import { missingSecrets, saveSettings } from '@errand/workspace/settings';
import type { OpenVault } from '../open-vault.ts';
import { describeServer, type ServerSummary } from './describe-server.ts';

/** The state behind the settings tab, and its changes. It follows the host only while it has listeners. */
export class SettingsController {
  readonly vault: OpenVault;
  readonly #listeners = new Set<() => void>();
  #unfollow: (() => void) | undefined;
  #isTelling = false;
  #secretNames: readonly string[] = [];

  constructor(vault: OpenVault) {
    this.vault = vault;
  }

  get settings(): Settings {
    return this.vault.host.servers.settings;
  }

  /** The secrets that are set, as of the last change. */
  get secretNames(): readonly string[] {
    return this.#secretNames;
  }

  get missingSecrets(): readonly string[] {
    return missingSecrets(this.settings, this.#secretNames);
  }

  server(id: string): ServerConfig | undefined {
    return this.settings.mcpServers.find((server) => server.id === id);
  }

  /** How a server is right now; nothing when it is not in the settings. */
  snapshot(id: string): ServerSnapshot | undefined {
    return this.server(id) && this.vault.host.servers.snapshot(id);
  }

  summary(id: string): ServerSummary | undefined {
    const snapshot = this.snapshot(id);
    return snapshot && describeServer(snapshot, this.test(id), Date.now());
  }

  test(id: string): RunningTest | undefined {
    return this.vault.tests.of(id);
  }

  /** Subscribes to changes of anything shown; several changes at once are one callback. */
  onChange(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    this.#unfollow ??= this.#follow();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
    };
  }

  /** Saves a change of what is stored now, and lets it take effect at once. */
  async save(change: (settings: Settings) => Settings): Promise<void> {
    await saveSettings(this.vault, change);
  }

  /** Stores entries that a person made or chose here, which is the agreement (D17); none is enabled yet. */
  async add(entries: readonly ServerConfig[]): Promise<void> {
    await addServers(this.vault, () => entries);
    this.tell();
  }

  /** Changes an entry as it is stored now, also when another program has just written it; false when it is gone. */
  async change(id: string, part: (server: ServerConfig) => ServerConfig): Promise<boolean> {
    const changed = await changeServer(this.vault, id, part);
    this.tell();
    return changed !== undefined;
  }

  async remove(id: string): Promise<void> {
    await removeServer(this.vault, id);
  }

  /** Stores the approval of exactly the entry that was shown. */
  async agree(shown: ShownLaunch): Promise<void> {
    await approveServers(this.vault, [shown]);
    this.tell();
  }

  async setSecret(name: string, value: string): Promise<void> {
    await this.vault.secrets.set(name, value);
    await this.readSecrets();
  }

  /** Keeps a value as a secret under a name that no other has, and returns that. */
  async keepSecret(wanted: string, value: string): Promise<string> {
    // The storage is every plugin's, so its names are read at the last moment.
    const name = suggestSecretName(wanted, await this.vault.secrets.names());
    await this.setSecret(name, value);
    return name;
  }

  async readSecrets(): Promise<void> {
    this.#secretNames = await this.vault.secrets.names();
    this.tell();
  }

  tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  #follow(): () => void {
    const { host, tests } = this.vault;
    const ends = [
      host.events.subscribe((event) => this.#hear(event)),
      tests.subscribe(() => this.tell()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #hear(event: HostEvent): void {
    if (/^(?:server|tools|settings)-/.test(event.kind)) this.tell();
  }
}
