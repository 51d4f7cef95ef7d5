import { writeFileSync } from 'node:fs';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { TestVault } from '../../test/end-to-end/errand-process.ts';
import { startPostgres } from './postgres.ts';

test('while PostgreSQL is away every program says what is wrong, and goes on when it is back', {
  timeout: 240_000,
}, async () => {
  await using postgres = await startPostgres();
  const database = ['--database', postgres.url];
  const shared = [...database, '--space', 'team'];
  using vault = await TestVault.agreed();
  const parameters = {
    serverId: 'fix',
    toolName: 'echo',
    parameterMappings: [{ toolParam: 'text', source: 'literal', value: 'hi' }],
  };
  const trigger = { kind: 'mail', events: ['sent'] };
  const hook = { id: 'h', name: 'Hook', trigger, actions: [{ type: 'mcp', parameters }] };
  writeFileSync(vault.path('.errand/hooks.json'), JSON.stringify({ version: 1, hooks: [hook] }));
  await vault.errand('trust', '--yes');
  using up = vault.start('up', ...shared, '--json');
  await up.says(/"state":"connected"/);
  using worker = vault.start('worker', ...shared, '--port', '0', '--json');
  using gateway = vault.start('gateway', '--replica', ...database, '--port', '0', '--json');
  await worker.says(/"event":"ready"/);
  await gateway.says(/"url":/);
  const statusOf = JSON.parse(/\{"event":"ready".*\}/.exec(worker.stdout)?.[0] ?? '').url;
  const gatewayUrl = JSON.parse(gateway.stdout.split('\n')[0] ?? '').url.replace('/mcp', '');
  const ready = async (url: string) =>
    (await (await fetch(`${url}/ready`)).json()) as { readonly warning?: string };
  await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent');
  await expect.poll(() => calls(vault), { timeout: 60_000 }).toBe(1);

  await postgres.stop();
  const waits = /Jobs wait.*The database does not answer.*Check that PostgreSQL runs/;
  await Promise.all([
    worker.says(waits),
    up.says(waits),
    expect
      .poll(() => ready(gatewayUrl), { timeout: 60_000 })
      .toMatchObject({ status: 'ready', warning: expect.stringContaining('does not answer') }),
  ]);
  expect(await ready(statusOf)).toMatchObject({
    status: 'not ready',
    problem: expect.stringContaining('Nothing is lost: jobs go on when it is back.'),
  });
  expect(await vault.errand('jobs', ...shared)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Check that PostgreSQL runs'),
  });
  expect(await vault.errand('worker', '--check', ...shared)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^WRONG +database +The database does not answer/),
  });

  await postgres.start();
  await expect.poll(() => ready(statusOf), { timeout: 60_000 }).toMatchObject({ status: 'ready' });
  await expect
    .poll(async () => (await ready(gatewayUrl)).warning, { timeout: 60_000 })
    .toBeUndefined();
  await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent');
  await expect.poll(() => calls(vault), { timeout: 60_000 }).toBe(2);
});

function calls(vault: TestVault): number {
  return readJournal(vault.journal).filter(({ kind }) => kind === 'call').length;
}
