import { appendFileSync } from 'node:fs';
import type { FlowContext, Json } from '../job-engine.ts';
import { sqliteStore } from '../sqlite-store.ts';
import { StoredJobs } from '../stored-jobs.ts';

// Works through jobs until it is killed: `node killed-program.ts FILE TRACE`. Each step writes a line.

const [file = '', trace = ''] = process.argv.slice(2);
const note = (line: string) => appendFileSync(trace, `${line}\n`);

async function run(input: Json, context: FlowContext): Promise<void> {
  await context.step('a', () => note(`${input}:a`));
  await context.sleep(3);
  await context.step('b', () => note(`${input}:b`));
  await context
    .step('send', () => note(`send ${input} once`), { once: true })
    .catch(() => undefined);
  await context.waitFor('go');
  await context.step('c', () => note(`${input}:c`));
}

await using jobs = StoredJobs.open(sqliteStore(file), {
  flows: { work: { run } },
  concurrency: 4,
  onFault: (error) => console.error(error),
});
const ids = Array.from({ length: 20 }, (_, index) => String(index));
process.send?.('ready');
for (const id of ids) {
  await jobs.start('work', Number(id), { id });
  await jobs.signal(id, 'go');
}
for (;;) {
  const done = await jobs.list({ state: 'done' });
  if (done.length === ids.length) break;
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.disconnect?.();
