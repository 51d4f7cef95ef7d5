import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { long, patience, SettingsHands } from '../../testing/settings-hands.ts';

const { localConfig } = scriptedServerConfig();

test('pasted JSON is read, renamed where it must be, tested and enabled', long, async () => {
  await using hands = await SettingsHands.open({ version: 1 });
  await hands.press('Paste');
  expect(await hands.button('Read it').isDisabled()).toBe(true);
  await hands.type('Configuration', '{ "mcpServers": ');
  await hands.press('Read it');
  await hands.sees(/The pasted text/);
  const mcpServers = { 'my notes': localConfig, off: { ...localConfig, disabled: true } };
  await hands.type('Configuration', JSON.stringify({ mcpServers }));
  await hands.press('Read it');
  await hands.sees(/Imported as "my-notes"/);
  await hands.toggle('Add off');
  await hands.press('Add those chosen');
  await expect
    .poll(() => hands.data.mcpServers?.map(({ name, enabled }) => [name, enabled]), patience)
    .toEqual([
      ['my-notes', true],
      ['off', false],
    ]);
  // Chosen here, so agreed to.
  await expect
    .poll(() => hands.value('my-notes').textContent(), patience)
    .toContain('not connected');
});

test('what looks like a secret in a pasted server is kept as one', long, async () => {
  await using hands = await SettingsHands.open({ version: 1 });
  await hands.press('Paste');
  const env = { API_KEY: 'swordfish', LANG: 'en' };
  const mcpServers = { one: { ...localConfig, env }, two: { ...localConfig, env } };
  await hands.type('Configuration', JSON.stringify({ mcpServers }));
  await hands.press('Read it');
  await hands.toggle('Keep API_KEY of two as secrets');
  await hands.press('Add those chosen');
  await expect
    .poll(() => hands.data.mcpServers?.map(({ localConfig: config }) => config?.env), patience)
    .toEqual([{ ...env, API_KEY: `\${secret:one-api-key}` }, env]);
});

test('servers of other programs on this computer are found and offered', long, async () => {
  await using hands = await SettingsHands.open({ version: 1 });
  const folder = join(hands.vault.obsidian.home, '.cursor');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { theirs: localConfig } }));
  await hands.press('Look');
  await hands.sees(/From Cursor \(.*mcp\.json\)/);
  await hands.press('Add those chosen');
  await expect
    .poll(() => hands.data.mcpServers?.map(({ name, enabled }) => [name, enabled]), patience)
    .toEqual([['theirs', true]]);
  await hands.press('Look');
  await hands.sees('There is no server that is not here already.');
});

test('servers that came with the vault are chosen by nobody but the person', long, async () => {
  await using hands = await SettingsHands.open({ version: 1 });
  const folder = join(hands.vault.obsidian.home, 'vault', '.cursor');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { theirs: localConfig } }));
  await hands.press('Look');
  await hands.sees(/From Cursor \(.*mcp\.json\), which came with this vault/);
  await hands.sees(/your yes does not cover: what lies in this vault/);
  await hands.press('Add those chosen');
  await hands.press('Look');
  await hands.toggle('Add theirs');
  await hands.press('Add those chosen');
  await expect
    .poll(() => hands.data.mcpServers?.map(({ name, enabled }) => [name, enabled]), patience)
    .toEqual([['theirs', true]]);
});

test('a Docker image or a URL asks only for what it needs', long, async () => {
  await using hands = await SettingsHands.open({ version: 1 });
  await hands.press('Add a server');
  await hands.type('Command', 'kept');
  await hands.choose('How it is reached', 'image');
  expect(await hands.field('Command').count()).toBe(0);
  await hands.type('Image', 'mcp/weather:1');
  expect(await hands.field('Port in the container').count()).toBe(0);
  await hands.choose('How the container is spoken to', 'http');
  expect(await hands.field('Image').inputValue()).toBe('mcp/weather:1');
  await hands.type('Port in the container', '99999');
  expect(await hands.mistake('Port in the container').textContent()).toBe(
    'Write a port from 1 to 65535.',
  );
  await hands.choose('How it is reached', 'url');
  await hands.type('Address', 'ftp://host');
  expect(await hands.mistake('Address').textContent()).toContain('Write');
  await hands.type('Address', 'http://127.0.0.1:9/mcp');
  await hands.type('Headers', 'Authorization: Bearer abc');
  await hands.press('Keep Authorization as a secret');
  await expect
    .poll(() => hands.field('Headers').inputValue(), patience)
    .toBe(`Authorization: Bearer \${secret:local-9-authorization}`);
  await hands.press('Add and test');
  await hands.press('Enable it anyway');
  await expect
    .poll(() => hands.data.mcpServers, patience)
    .toMatchObject([
      { name: 'local-9', transport: 'http', deploymentType: 'external', enabled: true },
    ]);
  expect(hands.text).not.toContain('abc');
});
