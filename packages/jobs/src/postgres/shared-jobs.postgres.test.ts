import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { FlowContext, JobEngine, Json } from '../job-engine.ts';
import { cutProxy } from '../testing/cut-proxy.ts';
import { PostgresJobs, type PostgresJobsOptions } from './postgres-jobs.ts';

const url = process.env.ERRAND_TEST_POSTGRES ?? '';
type Flows = PostgresJobsOptions['flows'];

function space(): (flows: Flows, more?: Partial<PostgresJobsOptions>) => Promise<PostgresJobs> {
  const name = `shared_${randomUUID().slice(0, 8)}`;
  return (flows, more = {}) =>
    PostgresJobs.open({ url, space: name, flows, leaseMs: 500, ...more });
}

test('two programs hold the order and the limit of a key together', async () => {
  const open = space();
  const order: Record<string, Json[]> = {};
  const running: Record<string, number> = {};
  const most: Record<string, number> = {};
  const by = new Set<string>();
  const flows = (program: string): Flows => ({
    work: {
      perKey: (key) => (key === 'wide' ? 3 : 1),
      run: async (input, { step }) => {
        const { key, number } = input as { key: string; number: number };
        await step('work', async () => {
          by.add(program);
          running[key] = (running[key] ?? 0) + 1;
          most[key] = Math.max(most[key] ?? 0, running[key]);
          order[key] = [...(order[key] ?? []), number];
          await new Promise((resolve) => setTimeout(resolve, 3));
          running[key] -= 1;
        });
      },
    },
  });
  await using a = await open(flows('a'), { concurrency: 4 });
  await using b = await open(flows('b'), { concurrency: 4 });
  const keys = ['k1', 'k2', 'wide'];
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  for (const number of numbers) {
    const engine = number % 2 === 0 ? a : b;
    for (const key of keys) await engine.start('work', { key, number }, { key });
  }
  await allDone(a, numbers.length * keys.length);
  expect(by).toEqual(new Set(['a', 'b']));
  expect(order.k1).toEqual(numbers);
  expect(order.k2).toEqual(numbers);
  expect(most).toMatchObject({ k1: 1, k2: 1 });
  expect(most.wide).toBeLessThanOrEqual(3);
});

test('programs count together: each member once, in one order for all, within a time', async () => {
  const open = space();
  await using a = await open({});
  await using b = await open({});
  const members = Array.from({ length: 40 }, (_, index) => `m${index}`);
  // Every third is counted by both: a step may run again in another program.
  const counting = members.flatMap((member, index) => [
    (index % 2 === 0 ? a : b).counts.add('k', member),
    ...(index % 3 === 0 ? [a.counts.add('k', member), b.counts.add('k', member)] : []),
  ]);
  await Promise.all(counting);
  await a.counts.add('other', 'm0');
  await b.counts.add('k', 'old', 7_200_000);
  const hour = 3_600_000;
  const places = await Promise.all(members.map((member) => b.counts.place('k', member, hour)));
  expect(places.toSorted((one, other) => one - other)).toEqual(
    members.map((_, index) => index + 1),
  );
  expect(await a.counts.place('k', 'unknown', hour)).toBe(40);
  expect(await a.counts.place('k', 'unknown', 3 * hour)).toBe(41);
  expect(await a.counts.place('k', 'old', 3 * hour)).toBe(1);
});

test('a job is retried at once after it was cancelled, although its program takes time to let it go', async () => {
  const open = space();
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const run = async (_: Json, { step }: FlowContext) =>
    step('slow', async () => {
      runs += 1;
      begun.resolve();
      await mayEnd.promise;
      return 'ran';
    });
  await using worker = await open({ slow: { run } });
  await using person = await open({});
  await worker.start('slow', null, { id: 'a' });
  await begun.promise;
  await person.cancel('a');
  const retried = person.retry('a');
  // Asked once at least while the job is held.
  await person.status('a');
  mayEnd.resolve();
  await retried;
  await expect.poll(async () => (await person.status('a'))?.result).toBe('ran');
  expect(runs).toBe(2);
});

test('a program runs jobs of flows that it is given later', async () => {
  const open = space();
  await using a = await open({ one: { run: async () => 1 } });
  await using b = await open({});
  await b.add({ two: { run: async () => 2 } });
  await a.start('one', null, { id: '1' });
  await b.start('two', null, { id: '2' });
  const result = async (id: string) => (await a.status(id))?.result;
  await expect.poll(() => result('1')).toBe(1);
  await expect.poll(() => result('2')).toBe(2);
  await expect(a.start('two', null)).rejects.toMatchObject({ code: 'unknown_flow' });
});

test('two programs hold a rate together', async () => {
  const open = space();
  const begun: number[] = [];
  const rate = { limit: 3, periodMs: 600 };
  const flows: Flows = { mark: { rate, run: async () => void begun.push(performance.now()) } };
  await using a = await open(flows);
  await using b = await open(flows);
  for (let count = 0; count < 9; count += 1) await (count % 2 ? a : b).start('mark', count);
  await allDone(a, 9);
  const times = begun.toSorted((x, y) => x - y);
  for (let index = 0; index + 3 < times.length; index += 1) {
    // Half of the period: a busy machine begins a job later than it was let through.
    expect((times[index + 3] ?? 0) - (times[index] ?? 0)).toBeGreaterThan(300);
  }
});

test('signals, cancellations and ends reach a job wherever it runs', async () => {
  const open = space();
  const stopped = Promise.withResolvers<string>();
  await using worker = await open({
    ask: { run: async (_, { waitFor }) => waitFor('answer') },
    hang: {
      run: async (_, { step }) =>
        step('hang', async (signal) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          stopped.resolve(signal.reason.code);
        }),
    },
  });
  // Knows a flow of another name, so that it is a program like others and runs neither.
  await using other = await open({ nothing: { run: async () => null } });
  const seen: string[] = [];
  using _ = other.onChange(({ id, state }) => void seen.push(`${id} ${state}`));
  await worker.start('ask', null, { id: 'asked' });
  await worker.start('hang', null, { id: 'hung' });
  await expect.poll(async () => (await other.status('hung'))?.steps).toBeDefined();
  await expect.poll(async () => (await other.status('hung'))?.state).toBe('running');
  await other.signal('asked', 'answer', 42);
  await expect.poll(async () => (await other.status('asked'))?.result).toBe(42);
  expect(await other.cancel('hung')).toBe(true);
  expect(await stopped.promise).toBe('cancelled');
  await expect.poll(() => seen.toSorted()).toEqual(['asked done', 'hung cancelled']);
});

test('a program that only asks runs nothing, and is no worker', async () => {
  const open = space();
  await using worker = await open({ a: { run: async () => 'done' } });
  await using asks = await open({});
  await worker.start('a', null, { id: 'one' });
  await expect.poll(async () => (await asks.status('one'))?.result).toBe('done');
  expect(await asks.list({ state: 'done' })).toHaveLength(1);
});

test('a program that leaves hands its jobs to another, which goes on at once', async () => {
  const open = space();
  const flows: Flows = { wait: { run: async (_, { waitFor }) => waitFor('go') } };
  const first = await open(flows, { leaseMs: 60_000 });
  await first.start('wait', null, { id: 'w' });
  await expect.poll(async () => (await first.status('w'))?.steps[0]?.state).toBe('waiting');
  await using second = await open(flows, { leaseMs: 60_000 });
  await first[Symbol.asyncDispose]();
  await second.signal('w', 'go', 'on');
  await expect.poll(async () => (await second.status('w'))?.result).toBe('on');
});

test('jobs of a killed program go on in another, and none of its finished steps runs again', async () => {
  const name = `killed_${randomUUID().slice(0, 8)}`;
  const module = new URL('../testing/hanging-program.ts', import.meta.url);
  const program = fork(module, [url, name], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [message] = await once(program, 'message');
  expect(message).toBe('hangs in the second step');
  const ran: string[] = [];
  const run = async (_: Json, { step }: FlowContext) => {
    await step('first', () => void ran.push('first'));
    await step('second', () => void ran.push('second'));
    return step('sent', () => ran.push('sent') && 'sent', { once: true });
  };
  await using survivor = await PostgresJobs.open({
    url,
    space: name,
    flows: { work: { run } },
    leaseMs: 500,
  });
  program.kill('SIGKILL');
  await expect.poll(async () => (await survivor.status('job'))?.state).toBe('done');
  expect(ran).toEqual(['second', 'sent']);
});

test.each(['silently', 'by an end of all connections'])(
  'a program that is cut off %s stops acting before another goes on, and what it writes is refused',
  async (how) => {
    const open = space();
    await using proxy = await cutProxy(url);
    const events: string[] = [];
    const release = Promise.withResolvers<void>();
    const flows = (program: string): Flows => ({
      act: {
        run: async (_, { step }) => {
          await step('act', async (signal) => {
            events.push(`${program} acts`);
            signal.addEventListener('abort', () => void events.push(`${program} stops`));
            // The first one does not heed that it is told to stop, and ends much later.
            if (program === 'a') await release.promise;
          });
          await step('then', () => void events.push(`${program} goes on`));
          return program;
        },
      },
    });
    await using a = await open(flows('a'), { url: proxy.url, drainMs: 100 });
    await a.start('act', null, { id: 'act', key: 'k' });
    await expect.poll(() => events).toEqual(['a acts']);
    await using b = await open(flows('b'));
    proxy.cut();
    if (how !== 'silently') proxy.drop();
    await expect.poll(async () => (await b.status('act'))?.result).toBe('b');
    proxy.mend();
    release.resolve();
    // It comes back as a worker, and takes jobs again.
    await b[Symbol.asyncDispose]();
    await a.start('act', null, { id: 'next', key: 'k' });
    await expect.poll(async () => (await a.status('next'))?.result).toBe('a');
    expect(
      events.filter((each) => !each.endsWith('stops') || each === 'a stops').slice(0, 4),
    ).toEqual(['a acts', 'a stops', 'b acts', 'b goes on']);
    expect((await a.status('act'))?.result).toBe('b');
  },
);

test('a short cut is ridden out: nothing is given up, and what ended meanwhile is kept', async () => {
  const open = space();
  await using proxy = await cutProxy(url);
  const faults: unknown[] = [];
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  await using a = await open(
    {
      act: {
        run: async (_, { step }) => {
          await step('act', () => {
            runs += 1;
            return gate.promise;
          });
          return 'kept';
        },
      },
    },
    { url: proxy.url, leaseMs: 20_000, onFault: (error) => void faults.push(error) },
  );
  await a.start('act', null, { id: 'act' });
  await expect.poll(() => runs).toBe(1);
  proxy.cut();
  proxy.drop();
  gate.resolve();
  await expect.poll(() => faults.length).toBeGreaterThan(0);
  expect(faults[0]).toMatchObject({ code: 'database_unavailable' });
  proxy.mend();
  await expect.poll(async () => (await a.status('act'))?.result).toBe('kept');
  expect(runs).toBe(1);
});

test('a program that gave up its jobs comes back under another number, so that nothing counts that it asked for before', async () => {
  const name = `back_${randomUUID().slice(0, 8)}`;
  await using proxy = await cutProxy(url);
  const givenUp = Promise.withResolvers<void>();
  let runs = 0;
  const flows: Flows = {
    work: {
      run: async (_, { step, waitFor, signal }) => {
        signal.addEventListener('abort', () => void givenUp.resolve());
        await step('begin', () => {
          runs += 1;
        });
        return waitFor('go');
      },
    },
  };
  const shared = { space: name, flows, leaseMs: 500 };
  await using asks = await PostgresJobs.open({ url, ...shared, flows: {} });
  await using worker = await PostgresJobs.open({ url: proxy.url, ...shared });
  await worker.start('work', null, { id: 'j' });
  await expect.poll(async () => (await asks.status('j'))?.steps.at(-1)?.state).toBe('waiting');
  const before = await workerOf(name);
  proxy.cut();
  await givenUp.promise;
  proxy.mend();
  await expect.poll(() => workerOf(name)).toBeGreaterThan(before);
  await asks.signal('j', 'go', 'on');
  await expect.poll(async () => (await asks.status('j'))?.result).toBe('on');
  expect(runs).toBe(1);
});

test('a job that a program has without its knowledge, because the answer was lost, is run', async () => {
  const name = `unknown_${randomUUID().slice(0, 8)}`;
  const run = async () => 'ran';
  await using worker = await PostgresJobs.open({
    url,
    space: name,
    flows: { a: { run } },
    leaseMs: 500,
  });
  await sql(`INSERT INTO errand_${name}.jobs (id, flow, state, is_ready, turn, worker, input, created_at)
    SELECT 'lost', 'a', 'running', true, 0, max(id), 'null', 0 FROM errand_${name}.workers`);
  await expect.poll(async () => (await worker.status('lost'))?.result).toBe('ran');
});

async function workerOf(space: string): Promise<number> {
  const [row] = await sql(`SELECT worker FROM errand_${space}.jobs`);
  return Number(row?.worker);
}

async function sql(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

async function allDone(jobs: JobEngine, count: number): Promise<void> {
  await expect
    .poll(async () => (await jobs.list({ state: 'done', limit: count })).length, { interval: 20 })
    .toBe(count);
}
