import { describe, expect, test } from 'vitest';
import type { FlowContext, FlowOptions, JobEngine, JobState } from '../job-engine.ts';
import type { JobsOptions } from '../stored-jobs.ts';
import { killedConformance } from './killed-conformance.ts';
import { scratch } from './scratch.ts';

/** Opens an engine whose jobs are kept in a folder. */
export type OpenJobs = (folder: string, options: JobsOptions) => Promise<JobEngine>;

export interface ConformanceOptions {
  /** Jobs go on after the engine was closed: true unless said otherwise. */
  readonly survives?: boolean;
  /** A module that exports `openJobs: OpenJobs`, for programs of their own that are killed; without it none is. */
  readonly module?: URL;
  /** How many jobs are started at once: 10,000 unless said otherwise. */
  readonly many?: number;
}

/** What every engine promises. */
export function jobsConformance(
  name: string,
  open: OpenJobs,
  { survives = true, module, many = 10_000 }: ConformanceOptions = {},
): void {
  describe(name, () => {
    test('runs a job and keeps what came of it', async () => {
      using folder = scratch();
      await using jobs = await open(folder.path, {
        flows: flows({ add: async (input, { step }) => step('add', () => Number(input) + 1) }),
      });
      const seen: JobState[] = [];
      using _ = jobs.onChange(({ state }) => void seen.push(state));
      const { id } = await jobs.start('add', 1);
      const { result, steps } = await ended(jobs, id);
      expect(result).toBe(2);
      expect(steps).toEqual([expect.objectContaining({ name: 'add', state: 'done', attempts: 1 })]);
      expect(seen).toEqual(['queued', 'running', 'done']);
    });

    test('starts a job with one id once, also when it is asked twice at once', async () => {
      using folder = scratch();
      let runs = 0;
      await using jobs = await open(folder.path, {
        flows: flows({ count: async () => void runs++ }),
      });
      await Promise.all([1, 2, 3].map((each) => jobs.start('count', each, { id: 'same' })));
      await ended(jobs, 'same');
      await jobs.start('count', 4, { id: 'same' });
      expect(runs).toBe(1);
      expect(await jobs.list()).toHaveLength(1);
    });

    test('runs jobs with one key one after the other, in order, and others beside them', async () => {
      using folder = scratch();
      const order: string[] = [];
      await using jobs = await open(folder.path, {
        flows: flows({
          note: async (input, { step, sleep }) => {
            await step('begin', () => void order.push(`+${input}`));
            await sleep(5);
            await step('end', () => void order.push(`-${input}`));
          },
        }),
      });
      const names = ['a1', 'b1', 'a2', 'a3', 'b2'];
      const started = await Promise.all(
        names.map((each) => jobs.start('note', each, { key: each.slice(0, 1) })),
      );
      for (const { id } of started) await ended(jobs, id);
      const ofKey = (key: string) => order.filter((each) => each.slice(1, 2) === key);
      expect(ofKey('a')).toEqual(['+a1', '-a1', '+a2', '-a2', '+a3', '-a3']);
      expect(ofKey('b')).toEqual(['+b1', '-b1', '+b2', '-b2']);
      expect(order.indexOf('+b1')).toBeLessThan(order.indexOf('-a3'));
    });

    test('runs as many jobs of a key at once as the flow says for that key', async () => {
      using folder = scratch();
      let running = 0;
      const most: Record<string, number> = {};
      const run = async (key: unknown) => {
        running += 1;
        most[String(key)] = Math.max(most[String(key)] ?? 0, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
      };
      await using jobs = await open(folder.path, {
        flows: { a: { run, perKey: (key) => (key === 'wide' ? 3 : 1) } },
      });
      for (const key of ['wide', 'narrow']) {
        const started = await Promise.all(numbers(6).map(() => jobs.start('a', key, { key })));
        for (const { id } of started) await ended(jobs, id);
      }
      expect(most).toEqual({ wide: 3, narrow: 1 });
    });

    test('lets no more jobs work at once than allowed, and those that wait do not count', async () => {
      using folder = scratch();
      let [working, most] = [0, 0];
      const full = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      await using jobs = await open(folder.path, {
        concurrency: 3,
        flows: flows({
          work: async (_, { step }) =>
            step('work', async () => {
              most = Math.max(most, ++working);
              if (most === 3) full.resolve();
              // Some engines take jobs one after the other; the first ones wait for the others.
              await Promise.race([
                full.promise,
                new Promise((resolve) => setTimeout(resolve, 200)),
              ]);
              working -= 1;
            }),
          wait: async (_, { waitFor }) => waitFor('go'),
          hold: async (_, { step }) => step('hold', () => gate.promise),
        }),
      });
      const waiting = await Promise.all(numbers(10).map(() => jobs.start('wait', null)));
      const started = await Promise.all(numbers(20).map((each) => jobs.start('work', each)));
      for (const { id } of started) await ended(jobs, id);
      expect(most).toBe(3);
      for (const { id } of waiting) await jobs.signal(id, 'go', id);
      for (const { id } of waiting) expect((await ended(jobs, id)).result).toBe(id);
      gate.resolve();
    });

    test('lets at most so many jobs begin in a period, also after a restart', async () => {
      using folder = scratch();
      const begun: number[] = [];
      const options = {
        flows: {
          mark: {
            run: async (_: unknown, { step }: FlowContext) =>
              step('mark', () => void begun.push(performance.now())),
            rate: { limit: 2, periodMs: 400 },
          },
        },
      };
      {
        await using jobs = await open(folder.path, options);
        for (const id of ['1', '2']) await jobs.start('mark', null, { id });
        await ended(jobs, '2');
      }
      if (!survives) return;
      await using jobs = await open(folder.path, options);
      for (const id of ['3', '4', '5']) await jobs.start('mark', null, { id });
      await ended(jobs, '5');
      for (const index of [0, 1, 2]) {
        // Half of the period: a busy machine begins a step later than it was let through.
        expect((begun[index + 2] ?? 0) - (begun[index] ?? 0)).toBeGreaterThan(200);
      }
    });

    test('tries a failed step again after each pause, and then fails with its last error', async () => {
      using folder = scratch();
      let tries = 0;
      let triedAt: number[] = [];
      const pauses = [10, 50, 150];
      await using jobs = await open(folder.path, {
        flows: flows({
          flaky: async (input, { step }) =>
            step(
              'call',
              () => {
                tries += 1;
                triedAt.push(performance.now());
                if (tries <= Number(input))
                  throw Object.assign(new Error(`try ${tries}`), { code: 'busy' });
                return tries;
              },
              { retryAfterMs: pauses },
            ),
          once: async (_, { step }) =>
            step('call', () => Promise.reject(new Error('no')), {
              retryAfterMs: [1],
              isTransient: () => false,
            }),
        }),
      });
      expect((await ended(jobs, (await jobs.start('flaky', 3)).id)).result).toBe(4);
      const gaps = pauses.map((_, index) => (triedAt[index + 1] ?? 0) - (triedAt[index] ?? 0));
      // A timer may be early by a part of a millisecond.
      for (const [index, pause] of pauses.entries()) expect(gaps[index]).toBeGreaterThan(pause - 2);
      [tries, triedAt] = [0, []];
      const failed = await ended(jobs, (await jobs.start('flaky', 9)).id);
      expect(failed).toMatchObject({ state: 'failed', error: { message: 'try 4', code: 'busy' } });
      expect(failed.steps).toMatchObject([{ state: 'failed', attempts: 4 }]);
      const once = await ended(jobs, (await jobs.start('once', null)).id);
      expect(once.steps).toMatchObject([{ state: 'failed', attempts: 1 }]);
    });

    test('keeps a signal that is sent early, takes each once, and gives up after the time', async () => {
      using folder = scratch();
      await using jobs = await open(folder.path, {
        flows: flows({
          ask: async (_, { waitFor }) => [
            await waitFor('answer'),
            await waitFor('answer'),
            (await waitFor('answer', 10)) ?? 'late',
            await waitFor('empty'),
          ],
        }),
      });
      await jobs.signal('asked', 'answer', 'early');
      await jobs.start('ask', null, { id: 'asked' });
      await jobs.signal('asked', 'answer', { second: true });
      await jobs.signal('asked', 'empty');
      const { result } = await ended(jobs, 'asked');
      expect(result).toEqual(['early', { second: true }, 'late', null]);
    });

    test('cancels a job that waits in line, works or sleeps, and tells its step', async () => {
      using folder = scratch();
      const stopped = Promise.withResolvers<string>();
      await using jobs = await open(folder.path, {
        flows: flows({
          hang: async (_, { step }) =>
            step('hang', async (signal) => {
              await new Promise((resolve) => signal.addEventListener('abort', resolve));
              stopped.resolve(signal.reason.code);
            }),
          sleep: async (_, { sleep }) => sleep(3_600_000),
        }),
      });
      const [works, inLine] = [
        await jobs.start('hang', null, { key: 'k' }),
        await jobs.start('hang', null, { key: 'k' }),
      ];
      const sleeps = await jobs.start('sleep', null);
      await reaches(jobs, works.id, 'running');
      await reaches(jobs, sleeps.id, 'running');
      for (const { id } of [inLine, works, sleeps]) expect(await jobs.cancel(id)).toBe(true);
      expect(await stopped.promise).toBe('cancelled');
      for (const { id } of [inLine, works, sleeps]) {
        expect((await ended(jobs, id)).state).toBe('cancelled');
      }
      expect(await jobs.cancel(works.id)).toBe(false);
    });

    test('runs a failed job again from where it failed', async () => {
      using folder = scratch();
      const ran: string[] = [];
      let isBroken = true;
      await using jobs = await open(folder.path, {
        flows: flows({
          two: async (_, { step }) => {
            await step('first', () => void ran.push('first'));
            await step('second', () => {
              ran.push('second');
              if (isBroken) throw new Error('broken');
            });
          },
        }),
      });
      const { id } = await jobs.start('two', null);
      expect((await ended(jobs, id)).error).toEqual({ message: 'broken' });
      isBroken = false;
      await jobs.retry(id);
      expect((await ended(jobs, id)).state).toBe('done');
      expect(ran).toEqual(['first', 'second', 'second']);
      await expect(jobs.retry(id)).rejects.toMatchObject({ code: 'not_retryable' });
      await expect(jobs.retry('nobody')).rejects.toMatchObject({ code: 'unknown_job' });
      await expect(jobs.start('nothing', null)).rejects.toMatchObject({ code: 'unknown_flow' });
    });

    test.each([
      ['back', -86_400_000],
      ['forward', 86_400_000],
    ])('a clock that is set %s makes no wait longer', async (_, jump) => {
      using folder = scratch();
      let now = Date.now();
      let tries = 0;
      const options = {
        now: () => now,
        flows: flows({
          nap: async (_, { sleep }) => sleep(300),
          listen: async (_, { waitFor }) => (await waitFor('nothing', 300)) ?? 'silence',
          retry: async (_, { step }) =>
            step('call', () => ++tries > 1 || Promise.reject(new Error('busy')), {
              retryAfterMs: [300],
            }),
        }),
      };
      const ids = Object.keys(options.flows);
      {
        await using jobs = await open(folder.path, options);
        for (const id of ids) await jobs.start(id, null, { id });
        for (const id of ids) {
          await expect.poll(async () => (await jobs.status(id))?.steps[0]?.state).toBe('waiting');
        }
        now += jump;
        if (!survives) for (const id of ids) await ended(jobs, id);
      }
      if (!survives) return;
      await using jobs = await open(folder.path, options);
      for (const id of ids) expect((await ended(jobs, id)).state).toBe('done');
      expect(tries).toBe(2);
    });

    test(`takes ${many} jobs at once`, async () => {
      using folder = scratch();
      await using jobs = await open(folder.path, {
        flows: flows({ add: async (input, { step }) => step('add', () => Number(input) + 1) }),
      });
      await Promise.all(numbers(many).map((each) => jobs.start('add', each, { id: `${each}` })));
      const rest = async () =>
        (await jobs.list({ state: 'queued', limit: 1 })).length +
        (await jobs.list({ state: 'running', limit: 1 })).length;
      await expect.poll(rest, { interval: 50, timeout: 50_000 }).toBe(0);
      expect(await jobs.list({ state: 'done', limit: many })).toHaveLength(many);
      expect(await jobs.prune(Date.now() + 1_000)).toBe(many);
      expect(await jobs.list()).toEqual([]);
    });

    if (module !== undefined) killedConformance(module);

    test('refuses what cannot be stored', async () => {
      using folder = scratch();
      await using jobs = await open(folder.path, {
        flows: flows({
          big: async (_, { step }) => step('big', () => 'x'.repeat(5_000_000)),
          odd: async (_, { step }) => step('odd', () => 1n),
        }),
      });
      expect((await ended(jobs, (await jobs.start('big', null)).id)).error?.code).toBe('too_large');
      expect((await ended(jobs, (await jobs.start('odd', null)).id)).error?.code).toBe('not_json');
    });
  });
}

function flows(runs: Readonly<Record<string, FlowOptions['run']>>): Record<string, FlowOptions> {
  return Object.fromEntries(
    Object.entries(runs).map(([name, run]) => [
      name,
      {
        run,
      },
    ]),
  );
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

async function ended(jobs: JobEngine, id: string) {
  const isOver = async () => {
    const state = (await jobs.status(id))?.state;
    return state !== 'queued' && state !== 'running';
  };
  await expect.poll(isOver, { interval: 2 }).toBe(true);
  const job = await jobs.status(id);
  if (job === undefined) throw new Error(`There is no job ${id}.`);
  return job;
}

async function reaches(jobs: JobEngine, id: string, state: JobState): Promise<void> {
  await expect.poll(async () => (await jobs.status(id))?.state, { interval: 2 }).toBe(state);
}
