import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

test('finds a program by the PATH of the login shell when Obsidian was started from a desktop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-shell-'));
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  symlinkSync(process.execPath, join(tools, 'node-of-the-shell'));
  const shell = join(folder, 'shell');
  const script = `#!/bin/sh\nexport PATH=${tools}:/usr/bin:/bin\neval "$2"\n`;
  writeFileSync(shell, script, { mode: 0o755 });
  const { localConfig, ...entry } = scriptedServerConfig();
  const server = { ...entry, localConfig: { ...localConfig, command: 'node-of-the-shell' } };
  try {
    await using vault = await ScriptedVault.open('```scripted\ntool: echo\ntext: hello\n```\n', {
      data: JSON.stringify({ version: 1, mcpServers: [server] }),
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', SHELL: shell },
    });
    await vault.show('source');
    await vault.agreeAndRun();
    await vault.hasState('fresh');
    expect(await vault.obsidian.text()).toContain('\nhello\n```\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
