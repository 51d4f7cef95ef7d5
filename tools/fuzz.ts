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
import { killRuns } from '../test/notes/kill-runs.ts';
import { raceEditors } from '../test/notes/race-editors.ts';

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
  kills: { find: async (seed, count) => (await killRuns(seed, count)).flaws, count: 200 },
};

interface Proof {
  readonly find: (...args: Parameters<FindFlaws>) => Flaws | Promise<Flaws>;
  readonly count: number;
}
type Flaws = ReturnType<FindFlaws>;

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
