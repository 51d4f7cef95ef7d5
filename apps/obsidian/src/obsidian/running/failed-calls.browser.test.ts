import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const block = (tool: string, more = '') => `\`\`\`scripted\ntool: ${tool}\n${more}\`\`\`\n`;
const withoutErrors = (text: string) => text.replace(/\n```mcp-error.*?\n```\n/gs, '');

test('explains wrong parameters and a call that takes too long below their blocks', async () => {
  const note = `${block('sleep', 'milliseconds: soon\n')}\n${block('hang')}\nBelow.\n`;
  await using vault = await ScriptedVault.open(note, { settings: { mcpGlobalTimeout: 1_000 } });
  const { obsidian } = vault;
  await vault.show('source');
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.notice('note.md: 1 failed, 1 timed out');
  const text = await obsidian.text();
  expect(text).toMatch(/milliseconds: soon\n```\n\n```mcp-error [^\n]*code=invalid_params/);
  expect(text).toMatch(
    /tool: hang\n```\n\n```mcp-error [^\n]*code=timeout[^\n]*\nExecution timeout after 1000 ms/,
  );
  expect(withoutErrors(text)).toBe(note);
  expect(vault.journal.flatMap(({ kind, tool }) => (kind === 'call' ? [tool] : []))).toEqual([
    'hang',
  ]);
});

test('says that the server ended in the middle of a call, and does not repeat it', async () => {
  const note = `${block('crash')}\nBelow.\n`;
  await using vault = await ScriptedVault.open(note);
  const { obsidian } = vault;
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.hasState('failed');
  await vault.notice('MCP server scripted disconnected, retrying...');
  const text = await obsidian.text();
  expect(text).toMatch(/code=server_unavailable [^\n]*\nServer "scripted" exited with code 7/);
  expect(text).toContain('The call may have taken effect; it was not repeated.');
  expect(withoutErrors(text)).toBe(note);
  await vault.notice('MCP server scripted connected again');
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toHaveLength(1);
});
