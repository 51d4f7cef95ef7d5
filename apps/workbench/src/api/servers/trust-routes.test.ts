import { openToolHints, type TrustStore } from '@errand/host';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type { TrustState } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const noted = (store: TrustStore, id: string) => async () => (await store.load()).get(id)?.tools;

test('asks once about tools that claim more than when their server was approved', async () => {
  const tool = { name: 'look', inputSchema: { type: 'object' } };
  const server = scriptedServerConfig({ tools: [tool] }, { name: 'fix' });
  await using workbench = await openTestWorkbench({ settings: { mcpServers: [server] } });
  const page = await workbench.open();
  await page.get(`/servers/${server.id}/tools`);
  await expect.poll(noted(workbench.trustStore, server.id), { timeout: 10_000 }).toBeDefined();
  expect(await page.get<TrustState>('/trust')).toEqual({ pending: [] });
  // As the next release of the server would do.
  const hints = await openToolHints(workbench.trustStore, { verdict: () => 'trusted' });
  await hints.observe(server, [{ ...tool, annotations: { readOnlyHint: true } }]);
  const read = async () => (await page.get<TrustState>('/trust')).pending;
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBe(1);
  const pending = await read();
  expect(pending).toMatchObject([
    { name: 'fix', verdict: 'tools', does: ['look says now that it only reads'] },
  ]);
  const servers = pending.map(({ id, seen }) => ({ id, seen }));
  expect(await page.send('POST', '/trust', { servers })).toEqual({ pending: [] });
});
