import { writeFileSync } from 'node:fs';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test.each([
  ['up', []],
  ['gateway', ['--port', '0']],
  ['serve', ['--port', '0']],
])('errand %s counts calls, their queue, servers and jobs', patient, async (program, args) => {
  using vault = await TestVault.agreed({}, { settings: { mcpConcurrentLimit: 1 } });
  writeHook(vault);
  await vault.errand('trust', '--yes');
  using running = vault.start(program, ...args, '--metrics-port', '0');
  await running.says(/Metrics are at http:.*\/metrics/);
  const [url = ''] = /http:\S+\/metrics(?=\.)/.exec(running.stdout + running.stderr) ?? [];
  const metrics = async () => (await fetch(url)).text();
  await expect.poll(metrics).toMatch(/^errand_servers\{.*state="connected".*\} 1$/m);
  expect(await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent')).toMatchObject({ code: 0 });
  await expect.poll(metrics).toMatch(/^errand_jobs_total\{.*flow="hook".*state="done".*\} 1$/m);
  using hanging = vault.start('call', 'fix', 'hang');
  await expect
    .poll(() => readJournal(vault.journal).some(({ tool }) => tool === 'hang'))
    .toBe(true);
  using waiting = vault.start('call', 'fix', 'echo', 'text=later');
  await expect.poll(metrics).toMatch(/^errand_calls_queued\{.*\} 1$/m);
  expect(await metrics()).toMatch(/^errand_calls_running\{.*\} 1$/m);
  hanging.child.kill('SIGINT');
  expect(await waiting.ended).toMatchObject({ code: 0 });
  await expect
    .poll(metrics)
    .toMatch(/^errand_calls_total\{.*tool="echo".*source="command".*status="success".*\} 1$/m);
  const told = await metrics();
  expect(told).toMatch(/^errand_calls_total\{.*tool="hang".*status="(?:error|cancelled)".*\} 1$/m);
  expect(told).toMatch(/^errand_calls_total\{.*tool="echo".*source="hook".*\} 1$/m);
  expect(told).toMatch(/^errand_call_wait_seconds_count\{.*\} 3$/m);
  expect(told).toMatch(/^errand_call_duration_seconds_count\{.*status="success".*\} 2$/m);
  expect(told).toMatch(/^errand_calls_queued\{.*\} 0$/m);
  expect(told).toMatch(/^errand_jobs_held\{.*state="working".*\} 0$/m);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('nothing of telemetry is loaded where nobody reads it', patient, async () => {
  using vault = await TestVault.agreed();
  vault.env.NODE_DEBUG = 'esm';
  using gateway = vault.start('gateway', '--port', '0', '--json');
  await gateway.says(/"url":/);
  gateway.child.kill('SIGTERM');
  const { stderr } = await gateway.ended;
  expect(stderr).not.toMatch(/telemetry|opentelemetry/i);
});

/** A hook that calls a tool when a mail was sent. */
function writeHook(vault: TestVault): void {
  const parameterMappings = [{ toolParam: 'text', source: 'literal', value: 'hi' }];
  const parameters = { serverId: 'fix', toolName: 'echo', parameterMappings };
  const hooks = [
    {
      id: 'h',
      name: 'Hook',
      trigger: { kind: 'mail', events: ['sent'] },
      actions: [{ type: 'mcp', parameters }],
    },
  ];
  writeFileSync(vault.path('.errand/hooks.json'), JSON.stringify({ version: 1, hooks }));
}
