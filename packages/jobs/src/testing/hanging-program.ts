import { PostgresJobs } from '../postgres/postgres-jobs.ts';

// Takes a job and hangs in its second step until it is killed: `node hanging-program.ts URL SPACE`.

const [url = '', space = ''] = process.argv.slice(2);
const jobs = await PostgresJobs.open({
  url,
  space,
  leaseMs: 500,
  flows: {
    work: {
      run: async (_, { step }) => {
        await step('first', () => 1);
        await step('second', () => {
          process.send?.('hangs in the second step');
          return new Promise(() => undefined);
        });
      },
    },
  },
});
await jobs.start('work', null, { id: 'job' });
