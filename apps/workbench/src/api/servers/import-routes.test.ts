import type { ServerConfig } from '@errand/host';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type { SecretList } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const { localConfig } = scriptedServerConfig();
const env = { API_KEY: 'swordfish', LANG: 'en' };
const text = JSON.stringify({
  mcpServers: { one: { ...localConfig, env }, two: { ...localConfig, env: { TOKEN: 'haddock' } } },
});

test('stores what looks like a secret in pasted servers as one, unless a person declines', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  const read = await page.send<{ servers: unknown }>('POST', '/servers/read', { text });
  expect(read.servers).toMatchObject([{ secrets: ['API_KEY'] }, { secrets: ['TOKEN'] }]);
  expect(JSON.stringify(read)).not.toMatch(/swordfish|haddock/);
  const body = { text, disabled: true, plain: ['two'] };
  await page.send('POST', '/servers/import', body);
  const settings = JSON.parse(await workbench.readNote('.errand/settings.json'));
  const [one, two] = settings.mcpServers;
  expect(one.localConfig.env).toEqual({ API_KEY: `\${secret:one-api-key}`, LANG: 'en' });
  expect(two.localConfig.env).toEqual({ TOKEN: 'haddock' });
  expect(await page.get<SecretList>('/secrets')).toMatchObject({
    names: ['one-api-key'],
    missing: [],
  });
});

test('adds a pasted server beside one of the same name, which stays as it was', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  const paste = (argument: string) => ({
    text: JSON.stringify({
      mcpServers: { one: { ...localConfig, args: [...(localConfig?.args ?? []), argument] } },
    }),
    disabled: true,
  });
  await page.send('POST', '/servers/import', paste('first'));
  const second = paste('second');
  const { servers } = await page.send<{ servers: readonly { name: string; notes: string[] }[] }>(
    'POST',
    '/servers/read',
    { text: second.text },
  );
  expect(servers).toMatchObject([{ name: 'one-2', notes: [expect.stringContaining('is taken')] }]);
  await page.send('POST', '/servers/import', { ...second, names: ['one-2'] });
  const { mcpServers } = JSON.parse(await workbench.readNote('.errand/settings.json'));
  const stored = mcpServers.map(({ name, localConfig: launch }: ServerConfig) => [
    name,
    launch?.args?.at(-1),
  ]);
  expect(stored).toEqual([
    ['one', 'first'],
    ['one-2', 'second'],
  ]);
});
