import { scriptedServerConfig } from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { TrustState } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('says what a yes does not cover', async () => {
  const localConfig = { command: 'npx', args: ['-y', 'some-server'] };
  await using workbench = await openTestWorkbench({
    settings: { mcpServers: [scriptedServerConfig({}, { localConfig, enabled: false })] },
    strangers: ['scripted'],
  });
  const page = await workbench.open();
  const { pending } = await page.get<TrustState>('/trust');
  expect(pending[0]?.does).toContain(
    'your yes does not cover: what npx downloads, which may be another program next time',
  );
});

test('asks again about a script of the vault that changed, also while somebody looks at it', async () => {
  const localConfig = { command: 'sh', args: ['./s.sh'] };
  const server = scriptedServerConfig({}, { localConfig, enabled: false });
  await using workbench = await openTestWorkbench({
    settings: { mcpServers: [server] },
    files: { 's.sh': 'exit 1' },
  });
  const page = await workbench.open();
  expect(await page.get<TrustState>('/trust')).toEqual({ pending: [] });
  await workbench.writeNote('s.sh', 'exit 2');
  const { pending } = await page.get<TrustState>('/trust');
  expect(pending).toMatchObject([{ id: server.id, verdict: 'changed' }]);
  await workbench.writeNote('s.sh', 'exit 3');
  const servers = pending.map(({ id, seen }) => ({ id, seen }));
  expect(await page.fails('POST', '/trust', { servers })).toMatchObject({ status: 409 });
  expect(await page.fails('POST', `/servers/${server.id}/test`, {})).toMatchObject({
    code: 'untrusted',
    message: expect.stringContaining('runs s.sh of this vault, which was changed'),
  });
});
