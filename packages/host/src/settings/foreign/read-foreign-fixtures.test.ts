import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ForeignSource } from './foreign-server.ts';
import { readForeignConfig } from './read-foreign-config.ts';

const vaultFolder = '/home/me/notes';
const elsewhere = '/home/me/project';

/** Files as the programs write them; beside each stands what it becomes here. */
const fixtures: Readonly<Record<string, Omit<ForeignSource, 'file'>>> = {
  'claude/claude_desktop_config.json': { program: 'claude' },
  'claude-code/.mcp.json': { program: 'claude-code', projectFolder: elsewhere },
  'claude-code/claude.json': { program: 'claude-code' },
  'codex/config.toml': { program: 'codex' },
  'copilot/mcp-config.json': { program: 'copilot' },
  'cursor/mcp.json': { program: 'cursor', projectFolder: elsewhere },
  'errand/settings.json': {},
  'gemini/settings.json': { program: 'gemini', projectFolder: vaultFolder },
  'kiro/mcp.json': { program: 'kiro' },
  'pasted/one-entry.json': {},
  'pasted/readme-fragment.txt': {},
  'vscode/mcp.json': { program: 'vscode', projectFolder: vaultFolder },
  'vscode/settings.json': {},
  'windsurf/mcp_config.json': { program: 'windsurf' },
  'zed/settings.json': { program: 'zed' },
};

test.each(Object.entries(fixtures))('reads %s by its own rules', async (file, source) => {
  const url = new URL(`../../../fixtures/foreign/${file}`, import.meta.url);
  const target = { os: 'linux', vaultFolder, takenNames: ['Weather'] };
  const config = readForeignConfig(readFileSync(url, 'utf8'), { file, ...source }, target);
  const expected = fileURLToPath(`${url}.expected.json`);
  await expect(`${JSON.stringify(config, undefined, 2)}\n`).toMatchFileSnapshot(expected);
});
