import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { TestVault } from './errand-process.ts';

const own = '.errand/settings.json';
const data = '.obsidian/plugins/errand/data.json';

function write(vault: TestVault, name: string, value: object): void {
  mkdirSync(dirname(vault.path(name)), { recursive: true });
  writeFileSync(vault.path(name), JSON.stringify(value));
}

/** A vault that only Obsidian has been opened with so far. */
function obsidianVault(): TestVault {
  const vault = TestVault.trusted();
  rmSync(vault.path('.errand'), { recursive: true });
  write(vault, data, { version: 1, mcpServers: [vault.scripted()] });
  return vault;
}

test('works on the servers of the plugin where the vault has only its data', async () => {
  using vault = obsidianVault();
  const called = await vault.json('call', 'fix', 'echo', 'text=hello');
  expect(called.json).toMatchObject({ status: 'success', content: 'hello' });
  const added = await vault.errand('servers', 'add', 'other', '--disabled', '--', 'some-program');
  expect(added).toMatchObject({ code: 0 });
  const { mcpServers } = JSON.parse(vault.read(data));
  expect(mcpServers.map(({ name }: { readonly name: string }) => name)).toEqual(['fix', 'other']);
  expect(existsSync(vault.path(own))).toBe(false);
});

test('makes no second settings file in a vault of the plugin', async () => {
  using vault = obsidianVault();
  const before = vault.read(data);
  expect(await vault.errand('init')).toMatchObject({ code: 0 });
  expect(existsSync(vault.path(own))).toBe(false);
  expect(vault.read(data)).toBe(before);
});

test('without a terminal the settings file holds over the data of the plugin, and a notice says so', async () => {
  using vault = obsidianVault();
  write(vault, own, { version: 1, mcpServers: [vault.scripted({}, { name: 'mine' })] });
  const { stdout, stderr } = await vault.errand('servers', '--offline', '--json');
  expect(JSON.parse(stdout).servers).toMatchObject([{ name: 'mine' }]);
  expect(stderr).toContain(`${own} is used; ${data} is ignored.`);
  expect(JSON.parse(vault.read(data)).mcpServers).toHaveLength(1);
});

test('in a terminal it asks once which file holds, and keeps the other as a backup', async () => {
  using vault = obsidianVault();
  write(vault, own, { version: 1, mcpServers: [vault.scripted({}, { name: 'mine' })] });
  const before = vault.read(own);
  using asked = vault.startOnTerminal('errand servers --offline');
  await asked.says(/Which one should be used\?/);
  asked.type('2\r');
  expect((await asked.ended).stdout).toContain('fix');
  const backups = readdirSync(vault.path('.errand')).filter((name) => name.includes('.bak-'));
  expect(backups.map((name) => vault.read(`.errand/${name}`))).toEqual([before]);
  using again = vault.startOnTerminal('errand servers --offline');
  const { stdout } = await again.ended;
  expect(stdout).toContain('fix');
  expect(stdout).not.toContain('Which one should be used?');
});
