import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { HostError } from '@errand/host';
import { localServer, memoryHost, request, textResult, untilAborted } from '@errand/host/testing';
import { memoryStore, StoredJobs } from '@errand/jobs';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { expect, test } from 'vitest';
import { startTelemetry } from './start-telemetry.ts';

const root = join(import.meta.dirname, '../../../..');

test('counts calls, waits, further attempts, servers, jobs and sends', async () => {
  await using place = await observedPlace();
  const metrics = await place.read();
  expect(valueIn(metrics, 'errand_calls_total', 'server="a"', 'status="success"')).toBe(2);
  expect(valueIn(metrics, 'errand_calls_total', 'server="a"', 'status="error"')).toBe(1);
  expect(valueIn(metrics, 'errand_calls_total', 'tool="echo"', 'source="command"')).toBe(2);
  expect(valueIn(metrics, 'errand_call_retries_total', 'server="a"')).toBe(1);
  expect(valueIn(metrics, 'errand_call_duration_seconds_count', 'status="success"')).toBe(2);
  expect(valueIn(metrics, 'errand_call_wait_seconds_count')).toBe(3);
  expect(valueIn(metrics, 'errand_calls_running')).toBe(1);
  expect(valueIn(metrics, 'errand_calls_queued')).toBe(1);
  expect(valueIn(metrics, 'errand_servers', 'state="connected"')).toBe(1);
  expect(valueIn(metrics, 'errand_servers', 'state="off"')).toBe(1);
  expect(valueIn(metrics, 'errand_jobs_total', 'flow="mail-send"', 'state="done"')).toBe(2);
  expect(valueIn(metrics, 'errand_jobs_total', 'flow="mail-send"', 'state="failed"')).toBe(1);
  expect(valueIn(metrics, 'errand_sends_total', 'outcome="sent"')).toBe(1);
  expect(valueIn(metrics, 'errand_sends_total', 'outcome="retry"')).toBe(1);
  expect(valueIn(metrics, 'errand_sends_total', 'outcome="failed"')).toBe(1);
  expect(valueIn(metrics, 'errand_jobs_held', 'state="working"')).toBe(0);
  expect(valueIn(metrics, 'errand_jobs_held', 'state="waiting"')).toBe(1);
});

test('another engine takes the place of the one that was observed', async () => {
  await using place = await observedPlace();
  const jobs = StoredJobs.open(memoryStore(), { flows: { hook: { run: async () => undefined } } });
  place.telemetry.observeJobs(jobs);
  await ended(jobs, 'hook');
  const metrics = await place.read();
  expect(valueIn(metrics, 'errand_jobs_total', 'flow="hook"', 'state="done"')).toBe(1);
  expect(valueIn(metrics, 'errand_jobs_held', 'state="waiting"')).toBe(0);
  await jobs[Symbol.asyncDispose]();
});

test('the dashboard of the example and the page about teams name the metrics that there are', async () => {
  await using place = await observedPlace();
  const metrics = await place.read();
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', set = ''] of metrics.matchAll(/^(errand_\w+)\{(.*)\} /gm)) {
    const known = labels.get(name) ?? new Set(['job', 'instance']);
    for (const [, label = ''] of set.matchAll(/(\w+)=/g)) known.add(label);
    labels.set(name, known);
  }
  const dashboard = JSON.parse(readFileSync(join(root, 'examples/team/dashboard.json'), 'utf8'));
  const targets = dashboard.panels.flatMap(
    (panel: { targets: { expr: string }[] }) => panel.targets,
  );
  for (const { expr } of targets as { expr: string }[]) {
    const names = expr.match(/errand_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const by = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, text = '']) => text.split(', '));
      expect([expr, name, [...(labels.get(name) ?? [])]]).toEqual([
        expr,
        name,
        expect.arrayContaining(by),
      ]);
    }
  }
  // A histogram is three series; documents name it once.
  const families = new Set(
    [...labels.keys()].map((name) => name.replace(/_(?:bucket|count|sum)$/, '')),
  );
  const page = readFileSync(join(root, 'docs/team.md'), 'utf8');
  const documented = new Set(page.match(/\berrand_[a-z_]+\b(?!\*)/g));
  const told = [...documented].filter((name) => !['errand_', 'errand_gateway'].includes(name));
  expect(told.toSorted()).toEqual([...families].toSorted());
  const shown = targets.flatMap(({ expr }: { expr: string }) => expr.match(/errand_\w+/g) ?? []);
  const shownFamilies = new Set(shown.map((name: string) => name.replace(/_bucket$/, '')));
  expect([...shownFamilies].toSorted()).toEqual([...families].toSorted());
});

/** A host and jobs to which everything has happened that is counted. */
async function observedPlace() {
  const memory = await memoryHost([localServer('a'), localServer('b', { enabled: false })], {
    mcpConcurrentLimit: 1,
  });
  const { host, connector, clock } = memory;
  const telemetry = await startTelemetry('test', {});
  telemetry.observeHost(host);
  let failures = 1;
  connector.behaviours.set('a', {
    call: async ({ arguments: { text } }, { signal }) => {
      if (text === 'wait') return untilAborted(signal);
      failures -= 1;
      if (failures === 0) {
        throw new HostError('server_unavailable', 'Gone.', { neverSent: true });
      }
      return textResult('ok');
    },
  });
  const repeated = host.execute(request());
  await clock.advance(1_000);
  await repeated;
  await host.execute(request());
  await host.execute(request({ toolName: 'nothing' }));
  void host.execute(request({ parameters: { text: 'wait' } }));
  void host.execute(request({ parameters: { text: 'wait' } }));
  await clock.advance(0);

  const outcomes = [{ outcome: 'sent' }, { outcome: 'retry' }, new Error('Broken.')];
  const jobs = StoredJobs.open(memoryStore(), {
    flows: {
      'mail-send': {
        run: async (input) => {
          const outcome = outcomes[Number(input)];
          if (outcome instanceof Error) throw outcome;
          return outcome;
        },
      },
      mail: { run: (_, { waitFor }) => waitFor('never') },
    },
  });
  telemetry.observeJobs(jobs);
  for (const index of outcomes.keys()) await ended(jobs, 'mail-send', index);
  const { id } = await jobs.start('mail', null);
  await expect.poll(async () => (await jobs.status(id))?.steps[0]?.state).toBe('waiting');

  const server = createServer((_, response) => telemetry.metrics(response));
  const url = urlAt(await listen(server, { port: 0, host: '127.0.0.1' }, () => {}), '');
  return {
    telemetry,
    read: async () => (await fetch(url)).text(),
    async [Symbol.asyncDispose]() {
      await closeServer(server, 0);
      await telemetry[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}

/** Runs a job to its end. */
async function ended(jobs: ReturnType<typeof StoredJobs.open>, flow: string, input = 0) {
  const end = Promise.withResolvers<void>();
  using _ = jobs.onChange(({ endedAt }) => endedAt && end.resolve());
  await jobs.start(flow, input);
  await end.promise;
}

function valueIn(metrics: string, name: string, ...labels: readonly string[]): number | undefined {
  const line = metrics
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && labels.every((label) => each.includes(label)));
  return line === undefined ? undefined : Number(/\} (\S+)/.exec(line)?.[1]);
}
