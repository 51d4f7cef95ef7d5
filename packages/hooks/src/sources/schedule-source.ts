import { catchFaults } from '@errand/host';
import { Cron } from 'croner';
import { z } from 'zod';
import type { EventSource, HookEvent, RunningSource, SourcePorts } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { coalesce } from './coalesce.ts';
import type { SourcesPorts } from './sources-ports.ts';
import { openStateFile, type StateFile } from './state-file.ts';

/** Timers stand still while a machine sleeps, and do not hear of a clock that is set: the clock is looked at this often. */
const longestWait = 30_000;
/** A run that is later than this was missed. */
const grace = 60_000;
/** A clock set back by more than this was wrong before; by less, runs that happened do not happen again. */
const longestRepeat = 3 * 3_600_000;
/** Missed runs are counted up to here. */
const mostCounted = 1_000;

const schema = z.object({
  version: z.literal(1),
  /** Up to when a hook's schedule has been followed, in milliseconds since 1970. */
  hooks: z.record(z.string(), z.object({ schedule: z.string(), seen: z.number() })),
});

type ScheduleRecords = z.infer<typeof schema>;
type ScheduleTrigger = Extract<Trigger, { kind: 'schedule' }>;
type SchedulePorts = Pick<SourcesPorts, 'clock' | 'folder' | 'stateFolder'>;

/** Tells when a schedule of cron comes round, in its time zone. */
export function scheduleSource(ports: SchedulePorts): EventSource {
  return {
    async start(sourcePorts) {
      const file = await openStateFile(ports, 'schedule.json', schema);
      const stored = await file.read().catch(sourcePorts.onFault);
      return new Schedules(ports, sourcePorts, file, stored?.hooks ?? {});
    },
  };
}

interface Entry {
  readonly hookId: string;
  readonly schedule: string;
  readonly cron: Cron;
  trigger: ScheduleTrigger;
  seen: number;
  next: number | undefined;
}

class Schedules implements RunningSource {
  readonly refresh: () => void;
  readonly #clock: SchedulePorts['clock'];
  readonly #ports: SourcePorts;
  readonly #records: Map<string, ScheduleRecords['hooks'][string]>;
  readonly #entries = new Map<string, Entry>();
  /** Schedules that cannot be understood and were reported. */
  readonly #broken = new Set<string>();
  readonly #saving;
  #timer: Disposable | undefined;
  #isClosed = false;

  constructor(
    { clock }: SchedulePorts,
    ports: SourcePorts,
    file: StateFile<ScheduleRecords>,
    records: ScheduleRecords['hooks'],
  ) {
    this.#clock = clock;
    this.#ports = ports;
    this.#records = new Map(Object.entries(records));
    this.#saving = coalesce(
      () => file.write({ version: 1, hooks: Object.fromEntries(this.#records) }),
      ports.onFault,
    );
    this.refresh = catchFaults(() => this.#follow(), ports.onFault);
    this.refresh();
  }

  nextRun(hookId: string): number | undefined {
    return this.#entries.get(hookId)?.next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    await this.#saving.idle();
  }

  #follow(): void {
    const gone = new Set(this.#entries.keys());
    for (const { hookId, trigger } of this.#ports.wanted()) {
      if (trigger.kind !== 'schedule') continue;
      gone.delete(hookId);
      const schedule = `${trigger.cron}|${trigger.timeZone ?? ''}`;
      const known = this.#entries.get(hookId);
      if (known?.schedule === schedule) known.trigger = trigger;
      else this.#add(hookId, trigger, schedule);
    }
    for (const hookId of gone) this.#forget(hookId);
    this.#arm();
  }

  #add(hookId: string, trigger: ScheduleTrigger, schedule: string): void {
    this.#entries.delete(hookId);
    const record = this.#records.get(hookId);
    const seen = record?.schedule === schedule ? record.seen : this.#clock.now();
    try {
      const { cron: pattern, timeZone } = trigger;
      const options = {
        mode: '5-part',
        ...(timeZone !== undefined && { timezone: timeZone }),
      } as const;
      const cron = new Cron(pattern, options);
      const next = after(cron, seen);
      this.#entries.set(hookId, { hookId, trigger, schedule, cron, seen, next });
      this.#record(hookId, schedule, seen);
    } catch (error) {
      if (!this.#broken.has(schedule)) this.#ports.onFault(error);
      this.#broken.add(schedule);
    }
  }

  #forget(hookId: string): void {
    this.#entries.delete(hookId);
    this.#records.delete(hookId);
    this.#saving.request();
  }

  #record(hookId: string, schedule: string, seen: number): void {
    const known = this.#records.get(hookId);
    if (known?.seen === seen && known.schedule === schedule) return;
    this.#records.set(hookId, { schedule, seen });
    this.#saving.request();
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#isClosed || this.#entries.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries.values()) next = Math.min(next, entry.next ?? next);
    const wait = Math.min(Math.max(next - this.#clock.now(), 0), longestWait);
    const tick = catchFaults(() => this.#tick(), this.#ports.onFault);
    this.#timer = this.#clock.after(wait, tick);
  }

  #tick(): void {
    const now = this.#clock.now();
    for (const entry of this.#entries.values()) {
      if (now < entry.seen - longestRepeat) this.#move(entry, now);
      else if (entry.next !== undefined && now >= entry.next) this.#run(entry, now);
    }
    this.#arm();
  }

  #run(entry: Entry, now: number): void {
    const due = dueRun(entry.cron, entry.seen, now);
    const isWanted = now - due.at <= grace || entry.trigger.missed === 'once';
    // Recorded after the run is stored: its id is the same when a crash lets the event come again.
    const stored = isWanted ? this.#ports.emit(eventOf(entry, due, now)) : Promise.resolve();
    this.#move(entry, due.at, stored);
  }

  #move(entry: Entry, seen: number, handled: Promise<void> = Promise.resolve()): void {
    entry.seen = seen;
    entry.next = after(entry.cron, seen);
    const record = () => this.#record(entry.hookId, entry.schedule, seen);
    void handled.then(record).catch(this.#ports.onFault);
  }
}

/** The last run of a schedule that is due, and how many there were before it since a time. */
function dueRun(
  cron: Cron,
  seen: number,
  now: number,
): { readonly at: number; readonly missed: number } {
  const [last] = cron.previousRuns(1, new Date(Math.floor(now / 1000) * 1000 + 1000));
  const at = last?.getTime() ?? now;
  let missed = 0;
  let next = after(cron, seen);
  while (next !== undefined && next < at && missed < mostCounted) {
    missed += 1;
    next = after(cron, next);
  }
  return { at, missed };
}

function after(cron: Cron, time: number): number | undefined {
  return cron.nextRun(new Date(time))?.getTime();
}

function eventOf(
  { hookId, trigger }: Entry,
  { at, missed }: ReturnType<typeof dueRun>,
  now: number,
): HookEvent {
  const { cron, timeZone } = trigger;
  return {
    id: `schedule:${hookId}:${at}`,
    kind: 'schedule',
    at: now,
    hookId,
    fields: {
      schedule: {
        cron,
        ...(timeZone !== undefined && { timeZone }),
        at: new Date(at).toISOString(),
        lateMs: now - at,
        missed,
      },
    },
  };
}
