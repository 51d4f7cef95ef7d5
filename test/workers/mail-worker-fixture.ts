import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowContext, Json } from '@errand/jobs';
import { PostgresJobs } from '@errand/jobs/postgres';
import type { FromWorker, Mail, ToWorker } from './mail-fleet.ts';

// A worker of simulated mailboxes: `node mail-worker-fixture.ts URL SPACE LEASE_MS NAME TRACE`. A mail goes out as in our Gmail
// server: a draft is made, noted, and then sent, which a mailbox does once for each draft. Every effect is a line of the trace.

const [url = '', space = '', leaseMs = '', name = '', trace = ''] = process.argv.slice(2);
const say = (message: FromWorker) => void process.send?.(message);

async function run(input: Json, { id, step, signal }: FlowContext): Promise<void> {
  const { pausesMs } = input as unknown as Mail;
  const note = (what: string) => appendFileSync(trace, `${Date.now()} ${name} ${id} ${what}\n`);
  // Killed during the first pause nothing has happened, during the second one it has and is not noted.
  const act = async (what: string) => {
    note(`begin ${what.split(' ')[0]}`);
    await sleep(pausesMs[0], undefined, { signal });
    note(what);
    await sleep(pausesMs[1], undefined, { signal });
  };
  await step('fetch', () => act('fetch'));
  const draft = await step('draft', async () => {
    const made = randomUUID();
    await act(`draft ${made}`);
    return made;
  });
  await step('send', () => act(`send ${draft}`));
  await step('file', () => act('file'));
}

const jobs = await PostgresJobs.open({
  url,
  space,
  name,
  leaseMs: Number(leaseMs),
  flows: { mail: { run } },
  onFault: (error) => say({ kind: 'fault', code: (error as { code?: string }).code ?? '' }),
});
process.on('message', async ({ mails }: ToWorker) => {
  try {
    await Promise.all(
      mails.map((mail) => {
        const id = `${mail.mailbox}.${mail.number}`;
        return jobs.start('mail', { ...mail }, { id, key: `mailbox ${mail.mailbox}` });
      }),
    );
    say({ kind: 'added' });
  } catch {
    say({ kind: 'not-added' });
  }
});
process.on('disconnect', () => process.exit());
say({ kind: 'ready' });
