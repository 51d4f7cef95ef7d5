import type { Clock } from '../clock.ts';
import { guarded } from '../guarded.ts';
import type { Notifier } from '../notifier.ts';
import type { Settings } from '../settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { HealthChange } from './server-state.ts';

/** Writes what the host learns about its servers into the settings, many changes in one save. */
export class HealthSaver {
  readonly #store: SettingsStore;
  readonly #clock: Clock;
  readonly #notifier: Notifier;
  readonly #onSaved: (settings: Settings) => void;
  #pending = new Map<string, HealthChange>();
  #inFlight: ReadonlyMap<string, HealthChange> = new Map();
  #saving: Promise<void> | undefined;
  #isUrgent = false;
  #changes = 0;
  #pause = new AbortController();

  constructor(
    store: SettingsStore,
    clock: Clock,
    notifier: Notifier,
    onSaved: (settings: Settings) => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#notifier = notifier;
    this.#onSaved = onSaved;
  }

  save(serverId: string, change: HealthChange): void {
    this.#changes += 1;
    this.#pending.set(serverId, { ...this.#pending.get(serverId), ...change });
    if (change.enabled !== undefined) this.#hurry();
    this.#saving ??= this.#saveAll();
  }

  /** The settings as they will be when everything is written: an older reading must not undo it. */
  overlay(settings: Settings): Settings {
    return apply(apply(settings, this.#inFlight), this.#pending);
  }

  /** Waits until everything is written. */
  async flush(): Promise<void> {
    if (this.#saving === undefined) return;
    this.#hurry();
    await this.#saving;
  }

  #hurry(): void {
    this.#isUrgent = true;
    this.#pause.abort();
  }

  async #saveAll(): Promise<void> {
    while (this.#pending.size > 0) {
      await this.#collect();
      await this.#saveNow();
    }
    this.#isUrgent = false;
    this.#saving = undefined;
  }

  /** While many servers connect, none of them should wait for a save: it comes when they are done. */
  async #collect(): Promise<void> {
    this.#pause = new AbortController();
    let collected: number;
    let rounds = 0;
    do {
      if (this.#isUrgent) return;
      collected = this.#changes;
      await this.#clock.sleep(quietFor, this.#pause.signal).catch(() => {});
      rounds += 1;
    } while (collected !== this.#changes && rounds < mostRounds);
  }

  async #saveNow(): Promise<void> {
    const changes = this.#pending;
    this.#inFlight = changes;
    this.#pending = new Map();
    try {
      this.#onSaved(await this.#store.remember((settings) => apply(settings, changes)));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const message = 'The state of the servers could not be saved in the settings.';
      const notify = () => this.#notifier.notify({ level: 'warning', message, detail });
      guarded(notify, () => undefined)();
    } finally {
      this.#inFlight = new Map();
    }
  }
}

const quietFor = 500;
const mostRounds = 10;

function apply(settings: Settings, changes: ReadonlyMap<string, HealthChange>): Settings {
  if (changes.size === 0) return settings;
  const mcpServers = settings.mcpServers.map((server) => ({
    ...server,
    ...changes.get(server.id),
  }));
  return { ...settings, mcpServers };
}
