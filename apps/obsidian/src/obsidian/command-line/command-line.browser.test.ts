import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const block = (tool: string, more = '') => `\`\`\`scripted\ntool: ${tool}\n${more}\`\`\`\n`;
const note = `${block('echo', 'text: hello\n')}\n${block('fail')}`;

function type({ obsidian }: ScriptedVault, line: string): Promise<string> {
  return obsidian.harness.evaluate((each, typed) => each.commandLine.type(typed), line);
}

test('runs notes, prints what was written, and shows servers', async () => {
  await using vault = await ScriptedVault.open(note);
  const { obsidian } = vault;
  // Nobody is asked from a command line: what nobody agreed to is not started.
  expect(await type(vault, 'errand:run file=note block=1')).toMatch(
    /note\.md: 1 refused\nLine 1, scripted · echo: Server "scripted" came with this vault/,
  );
  expect(vault.journal).toEqual([]);
  expect(await type(vault, 'errand:servers')).toMatch(/^scripted: Needs approval\n/);
  await vault.show('source');
  await vault.putCursor(1);
  await vault.command('Run block');
  await vault.press('Agree and run');
  await vault.called('echo');
  await expect.poll(() => obsidian.text(), { timeout: 20_000 }).toContain('\nhello\n');
  expect(await type(vault, 'errand:run file=note.md stale')).toMatch(
    /^note\.md: 1 failed\nLine \d+, scripted · fail: .*It did not work\.\nLine \d+, scripted · fail:\n.*It did not work/s,
  );
  expect(await obsidian.text()).toContain('```mcp-error');
  const { changed, results } = JSON.parse(await type(vault, 'errand:run file=note json'));
  expect(changed).toBe(false);
  expect(results).toMatchObject([{ status: 'success' }, { status: 'error' }]);
  const { servers } = JSON.parse(await type(vault, 'errand:servers json'));
  expect(servers).toMatchObject([{ name: 'scripted', connectionState: 'connected' }]);
  expect(await type(vault, 'errand:run file=other')).toBe('There is no note other.');
  expect(await type(vault, 'errand:run file=note block=99')).toContain('no block at 99');
});

test('works in versions without a command line', async () => {
  await using vault = await ScriptedVault.open(note, { isOld: true });
  await vault.show('source');
  await vault.obsidian.page.locator('.errand-card').first().waitFor();
  await expect(type(vault, 'errand:servers')).rejects.toThrow('There is no command');
});
