import { parseArgs } from 'node:util';
import {
  type FindFlaws,
  findLiveFlaws,
  findReadingFlaws,
  findRescanFlaws,
  findResultFlaws,
} from '@errand/document/testing';
import { findClientFlaws } from '@errand/gateway/testing';
import { findAnswerFlaws, findLineFlaws, findParameterFlaws } from '@errand/machine/testing';
import { killSends } from '../servers/gmail/src/testing/kill-sends.ts';
import { killAtEveryStep } from '../servers/gmail/src/testing/kill-steps.ts';
import { floodMailbox } from '../test/mail/flood-mail.ts';
import { killMail } from '../test/mail/kill-mail.ts';
import { killRuns } from '../test/notes/kill-runs.ts';
import { raceEditors } from '../test/notes/race-editors.ts';
import { killWorkers } from '../test/workers/kill-workers.ts';
import { breakDatabase } from '../test/workers/outages.ts';
import { startPostgres } from './provision/postgres.ts';

/**
 * The long proofs, and how many cases each of them tries. Name some of them to run only those, and say
 * how many cases by `--count`, from which on by `--seed`.
 */
const proofs: Readonly<Record<string, Proof>> = {
  commonmark: { find: findReadingFlaws, count: 1_000_000 },
  rescan: { find: findRescanFlaws, count: 50_000 },
  results: { find: findResultFlaws, count: 50_000 },
  lines: { find: findLineFlaws, count: 100_000 },
  answers: { find: findAnswerFlaws, count: 100_000 },
  clients: { find: findClientFlaws, count: 100_000 },
  parameters: { find: findParameterFlaws, count: 100_000 },
  live: { find: findLiveFlaws, count: 50_000 },
  races: {
    find: async (seed, count) => {
      const { flaws, ...counts } = await raceEditors(seed, count, 2);
      console.log('races:', counts);
      return flaws;
    },
    count: 25_000,
  },
  sends: { find: killSends, count: 200 },
  mail: {
    find: async (seed, count) => {
      const { flaws, ...counts } = await killMail(seed, count, count);
      console.log('mail:', counts);
      return flaws;
    },
    count: 200,
  },
  robots: { find: (_seed, count) => floodMailbox(count), count: 500 },
  'send-steps': {
    find: async () => {
      const kinds = [{ idempotency_key: '' }, {}, { body_type: 'html', body: '<p>Text</p>' }];
      const runs = await Promise.all(kinds.map((kind) => killAtEveryStep(kind)));
      return runs.flatMap(({ flaws }) => flaws);
    },
    count: 1,
  },
  workers: { find: findWorkerFlaws, count: 200 },
  outages: { find: findOutageFlaws, count: 1 },
  kills: { find: async (seed, count) => (await killRuns(seed, count)).flaws, count: 200 },
};

interface Proof {
  readonly find: (...args: Parameters<FindFlaws>) => Flaws | Promise<Flaws>;
  readonly count: number;
}
type Flaws = ReturnType<FindFlaws>;

/** A thousand mailboxes, with the lease that workers have. */
async function findWorkerFlaws(seed: number, kills: number): Promise<Flaws> {
  await using postgres = await startPostgres();
  const size = { mailboxes: 1_000, bursts: Math.ceil(kills / 50), workers: 6 };
  const times = { leaseMs: 8_000, pauseMs: 3_000, stepMs: 700, isStrict: true };
  const { url } = postgres;
  const { flaws, ...counts } = await killWorkers({ url, seed, kills, ...size, ...times });
  console.log('workers:', counts);
  const slow = counts.slowestResumeMs > 15_000 ? ['a mailbox went on after more than 15 s'] : [];
  return [...flaws, ...slow];
}

/** The database is away for 30 s, in every way. */
async function findOutageFlaws(seed: number, count: number): Promise<Flaws> {
  const flaws: string[] = [];
  for (let at = seed; at < seed + count; at++) {
    await using postgres = await startPostgres();
    const size = { mailboxes: 100, stepMs: 700, isStrict: true };
    flaws.push(
      ...(await breakDatabase(postgres, { seed: at, leaseMs: 8_000, outageMs: 30_000, ...size })),
    );
  }
  return flaws;
}

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  console.error(
    `No such proof: ${unknown.join(', ')}. There are: ${Object.keys(proofs).join(', ')}`,
  );
  process.exit(2);
}

for (const [name, { find, count: all }] of Object.entries(proofs)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const count = Number(values.count ?? all);
  const flaws = await find(Number(values.seed), count);
  console.log(`${name}: ${count} cases, ${flaws.length} failed`);
  for (const flaw of flaws.slice(0, 10)) console.log(flaw);
  if (flaws.length > 0) process.exitCode = 1;
}
