import { appendFileSync, readFileSync } from 'node:fs';
import type { FlowContext, Json } from '../job-engine.ts';
import type { OpenJobs } from './jobs-conformance.ts';
import { killPoints, type tracedSteps } from './kill-points.ts';

// Works through jobs until it is killed, or kills itself once at each point:
// `node killed-program.ts MODULE FOLDER TRACE each-step|any-moment`. Each step writes a line.

const [module = '', folder = '', trace = '', mode] = process.argv.slice(2);
const { openJobs }: { readonly openJobs: OpenJobs } = await import(module);
const earlier = new Set(readFileSync(trace, 'utf8').split('\n'));
const note = (line: string) => appendFileSync(trace, `${line}\n`);

/** Kills this program in the job of the point, once. */
function reach(job: Json, point: string): void {
  if (job !== point || earlier.has(`killed ${point}`)) return;
  note(`killed ${point}`);
  process.kill(process.pid, 'SIGKILL');
}

async function run(job: Json, { step, sleep, waitFor }: FlowContext): Promise<void> {
  const traced = async (name: (typeof tracedSteps)[number]) => {
    const act = () => {
      reach(job, `before ${name}`);
      note(`${job}:${name}`);
      reach(job, `after ${name}`);
    };
    await step(name, act, { once: name === 'send' }).catch((error) => {
      if (error.code !== 'interrupted') throw error;
    });
    reach(job, `stored ${name}`);
  };
  await traced('a');
  await sleep(3);
  await traced('b');
  await traced('send');
  await waitFor('go');
  await traced('c');
}

await using jobs = await openJobs(folder, {
  flows: { work: { run } },
  concurrency: 4,
  onFault: (error) => console.error(error),
});
const inputs = mode === 'each-step' ? killPoints : Array.from({ length: 20 }, (_, index) => index);
process.send?.('ready');
for (const input of inputs) {
  // One after the other, where each is killed at its own point.
  const key = mode === 'each-step' ? 'all' : undefined;
  await jobs.start('work', input, { id: `${input}`, ...(key !== undefined && { key }) });
  await jobs.signal(`${input}`, 'go');
}
for (;;) {
  const done = await jobs.list({ state: 'done' });
  if (done.length === inputs.length) break;
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.disconnect?.();
