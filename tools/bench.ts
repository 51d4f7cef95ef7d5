import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchRow } from '../test/bench/bench-row.ts';
import { lookAtMachine } from './provision/look-at-machine.ts';
import { planProvisioning } from './provision/plan.ts';
import { provide } from './provision/provide.ts';

// `npm run bench -- vault gateway --json`: the named benchmarks, or all of them.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const files = new Map(
  globSync('test/bench/*.bench.ts').map((path) => [basename(path).split('.')[0] ?? '', path]),
);
const unknown = positionals.filter((name) => !files.has(name));
if (unknown.length > 0) {
  console.error(
    `No such benchmark: ${unknown.join(', ')}. There are: ${[...files.keys()].join(', ')}`,
  );
  process.exit(2);
}

// What is provided for one benchmark ends with it, and is not given to the next.
const env = { ...process.env };
const rows: BenchRow[] = [];
for (const [name, path] of files) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`Measuring ${name} …`);
  const plan = planProvisioning([path], lookAtMachine(env));
  for (const { reason } of plan.skippedFiles) throw new Error(`${name} cannot run: ${reason}`);
  await using provided = await provide(plan.provide, {
    projectFolder: join(import.meta.dirname, '..'),
    env,
    say: console.error,
    signal: AbortSignal.timeout(10 * 60_000),
  });
  for (const [need, why] of provided.failures) throw new Error(`There is no ${need}: ${why}`);
  // Read when the benchmark is loaded.
  Object.assign(process.env, provided.env);
  const { bench } = (await import(pathToFileURL(path).href)) as { bench(): Promise<BenchRow[]> };
  rows.push(...(await bench()));
}

if (values.json) console.log(JSON.stringify({ rows }, undefined, 2));
else {
  console.table(
    rows.map(({ what, unit, ours, peer, peerName, target, pass }) => ({
      what: `${what} (${unit})`,
      ours: round(ours),
      peer: `${round(peer)} (${peerName})`,
      ratio: round(ours / peer),
      target,
      pass,
    })),
  );
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
