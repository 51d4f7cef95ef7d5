import type { Clock } from '../clock.ts';
import { catchFaults } from '../events/catch-faults.ts';
import type { HealthRecord, HealthRecords, HealthStore } from '../health-store.ts';
import type { Notifier } from '../notifier.ts';
import type { ServerConfig, Settings } from '../settings.ts';
import { entryHash } from './entry-hash.ts';

/** A change of a record; a field that is given as undefined is taken out. */
type RecordChange = { readonly [Field in keyof HealthRecord]: HealthRecord[Field] | undefined };

/** Keeps what the host learns about its servers, and writes many changes in one save. */
export class HealthSaver {
  readonly #store: HealthStore;
  readonly #clock: Clock;
  readonly #notifier: Notifier;
  readonly #onSaved: () => void;
  #records: HealthRecords;
  #pending = new Map<string, RecordChange>();
  #saving: Promise<void> | undefined;
  /** Servers with changes that the store does not have: they wait, are being written, or could not be. */
  readonly #unstored = new Set<string>();
  #isUrgent = false;
  #changes = 0;
  #pause = new AbortController();

  constructor(
    store: HealthStore,
    records: HealthRecords,
    clock: Clock,
    notifier: Notifier,
    onSaved: () => void,
  ) {
    this.#store = store;
    this.#records = records;
    this.#clock = clock;
    this.#notifier = notifier;
    this.#onSaved = onSaved;
  }

  record(serverId: string): HealthRecord {
    return this.#records[serverId] ?? {};
  }

  save(serverId: string, change: RecordChange): void {
    const known = this.record(serverId);
    const news = Object.entries(change).filter(
      ([field, value]) => known[field as keyof HealthRecord] !== value,
    );
    if (news.length === 0) return;
    this.#changes += 1;
    this.#records = withChange(this.#records, serverId, change);
    this.#pending.set(serverId, { ...this.#pending.get(serverId), ...change });
    this.#unstored.add(serverId);
    if ('autoDisabled' in change) this.#hurry();
    this.#saving ??= this.#saveAll();
  }

  /** Takes over what settings files of older versions say of servers that nothing is known of here; only once. */
  adopt({ mcpServers }: Pick<Settings, 'mcpServers'>): void {
    for (const { id, lastConnectedAt, failureCount } of mcpServers) {
      if (this.#records[id] !== undefined) continue;
      if (lastConnectedAt !== undefined) this.save(id, { lastConnectedAt, failureCount });
      else if (failureCount > 0) this.save(id, { failureCount });
    }
  }

  /** Follows another program that gave a server up here another chance; what it gave up itself says nothing. */
  async follow(): Promise<void> {
    let unstored: ReadonlySet<string>;
    let stored: HealthRecords;
    let changes: number;
    // What was read is older than what changed meanwhile.
    do {
      changes = this.#changes;
      unstored = new Set(this.#unstored);
      stored = await this.#store.load();
    } while (changes !== this.#changes);
    for (const [serverId, { autoDisabled }] of Object.entries(this.#records)) {
      if (autoDisabled === undefined || unstored.has(serverId)) continue;
      if (stored[serverId]?.autoDisabled !== undefined) continue;
      this.#records = withChange(this.#records, serverId, { autoDisabled: undefined });
    }
  }

  /** The settings with what this machine knows of their servers. */
  overlay<Stored extends Settings>(settings: Stored): Stored {
    const mcpServers = settings.mcpServers.map((server) =>
      withHealth(server, this.#records[server.id]),
    );
    return { ...settings, mcpServers };
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
    } while (collected !== this.#changes && rounds < maxRounds);
  }

  async #saveNow(): Promise<void> {
    const changes = this.#pending;
    this.#pending = new Map();
    try {
      await this.#store.save((current) =>
        [...changes].reduce((records, [id, change]) => withChange(records, id, change), current),
      );
      for (const id of changes.keys()) if (!this.#pending.has(id)) this.#unstored.delete(id);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const message = 'The state of the servers could not be saved.';
      const notify = () => this.#notifier.notify({ level: 'warning', message, detail });
      catchFaults(notify, () => undefined)();
    }
    catchFaults(this.#onSaved, () => undefined)();
  }
}

const quietFor = 500;
const maxRounds = 10;

function withChange(records: HealthRecords, serverId: string, change: RecordChange): HealthRecords {
  const fields = Object.entries({ ...records[serverId], ...change });
  const kept = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return { ...records, [serverId]: kept as HealthRecord };
}

/** What files of older versions hold themselves counts only until this machine has a record of the server. */
function withHealth(entry: ServerConfig, known: HealthRecord | undefined): ServerConfig {
  const { lastConnectedAt: _stored, ...server } = entry;
  const record = known ?? entry;
  const { lastConnectedAt, failureCount = 0 } = record;
  const isGivenUp = known !== undefined && isAutoDisabled(entry, known);
  return {
    ...server,
    ...(lastConnectedAt !== undefined && { lastConnectedAt }),
    failureCount,
    enabled: server.enabled && !isGivenUp,
    autoDisabled: isGivenUp || (server.autoDisabled && !server.enabled),
  };
}

function isAutoDisabled(server: ServerConfig, { autoDisabled }: HealthRecord): boolean {
  return autoDisabled !== undefined && autoDisabled.entry === entryHash(server);
}
