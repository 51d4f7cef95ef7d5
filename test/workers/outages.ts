import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../packages/document/src/testing/random.ts';
import { cutProxy } from '../../packages/jobs/src/testing/cut-proxy.ts';
import { type FleetWorker, MailFleet } from './mail-fleet.ts';

/** A database that can be taken away. */
export interface BreakableDatabase {
  readonly url: string;
  /** Stops every process of it, as a machine that hangs does. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface OutagePlan {
  readonly seed: number;
  readonly leaseMs: number;
  /** How long the database is away, or connections are cut; at least until every worker has noticed. */
  readonly outageMs: number;
  readonly mailboxes: number;
  readonly stepMs: number;
  /** No worker stands still for a whole lease, so that two are never seen at one mail. */
  readonly isStrict?: boolean;
}

/**
 * Takes the database away from workers in every way, one after the other, and cuts the connections of two of them; answers
 * with what was lost, sent twice, out of order or not told.
 */
export async function breakDatabase(
  database: BreakableDatabase,
  { seed, leaseMs, outageMs, mailboxes, stepMs, isStrict = false }: OutagePlan,
): Promise<readonly string[]> {
  const chance = random(seed);
  const flaws: string[] = [];
  await using fleet = new MailFleet({ url: database.url, leaseMs });
  await using proxy = await cutProxy(database.url);
  const [first, second, third] = [fleet.start(proxy.url), fleet.start(proxy.url), fleet.start()];
  await Promise.all([first, second, third].map(({ ready }) => ready));
  const outages = {
    frozen: { begin: async () => database.freeze(), end: async () => database.thaw() },
    stopped: { begin: () => database.stop(), end: () => database.start() },
    killed: { begin: () => database.kill(), end: () => database.start() },
    cut: { begin: async () => proxy.cut(), end: async () => proxy.mend() },
  };
  for (const [round, [name, { begin, end }]] of Object.entries(outages).entries()) {
    const mails = Array.from({ length: mailboxes * 2 }, (_, at) => ({
      mailbox: at >> 1,
      number: round * 2 + (at & 1),
      pausesMs: [chance.below(stepMs), chance.below(stepMs)] as const,
    }));
    const workers = name === 'cut' ? [first, second] : [first, second, third];
    for (const { faults } of workers) faults.length = 0;
    const begun = fleet.trace().length;
    await fleet.add(mails);
    // In the middle of the work.
    while (fleet.trace().length < begun + mailboxes) await sleep(10);
    await begin();
    const isOver = sleep(outageMs);
    for (const worker of workers) {
      if (!(await toldBy(worker))) flaws.push(`${name}: ${worker.name} does not say what is wrong`);
    }
    await isOver;
    await end();
    await fleet.settled(120_000);
    if (fleet.workers.size !== 3) flaws.push(`${name}: a worker ended`);
  }
  flaws.push(...(await fleet.flaws(isStrict)));
  return flaws.map((flaw) => `seed ${seed}: ${flaw}`);
}

async function toldBy({ faults }: FleetWorker): Promise<boolean> {
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(10)) {
    if (faults.includes('database_unavailable')) return true;
  }
  return false;
}
