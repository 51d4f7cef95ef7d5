import { parseArgs } from 'node:util';
import {
  type FindFlaws,
  findReadingFlaws,
  findRescanFlaws,
  findResultFlaws,
} from '@errand/document/testing';

/** The long proofs, and how many cases each of them tries. Name some of them to run only those. */
const proofs: Readonly<Record<string, { readonly find: FindFlaws; readonly count: number }>> = {
  commonmark: { find: findReadingFlaws, count: 1_000_000 },
  rescan: { find: findRescanFlaws, count: 50_000 },
  results: { find: findResultFlaws, count: 50_000 },
};

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  console.error(
    `No such proof: ${unknown.join(', ')}. There are: ${Object.keys(proofs).join(', ')}`,
  );
  process.exit(2);
}

for (const [name, { find, count }] of Object.entries(proofs)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const flaws = find(Number(values.seed), count);
  console.log(`${name}: ${count} cases, ${flaws.length} failed`);
  for (const flaw of flaws.slice(0, 10)) console.log(flaw);
  if (flaws.length > 0) process.exitCode = 1;
}
