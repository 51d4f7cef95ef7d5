import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const note = `---
mcp:
  sections:
    - heading: Mine
      server: mine
---
# Mine

## Below

\`\`\`other
tool: echo
text: hello
\`\`\`

\`\`\`mcp
tool: echo
text: hello
\`\`\`
`;

test('refuses another server than that of the section, also below it, and calls nothing', async () => {
  const mcpServers = ['mine', 'other'].map((name) => scriptedServerConfig({}, { name, id: name }));
  await using vault = await ScriptedVault.open(note, {
    data: JSON.stringify({ version: 1, mcpServers }),
  });
  const { page } = vault.obsidian;
  await vault.show('preview');
  const cards = page.locator('.errand-card:visible');
  await cards.first().getByText('This section is bound to mine').waitFor();
  await cards.last().getByRole('button', { name: 'Run', exact: true }).click();
  await vault.press('Agree and run');
  await vault.hasState('fresh');
  const text = vault.obsidian.file('note.md');
  const answer = '\n```mcp-result';
  expect(text.slice(0, note.length)).toBe(note);
  expect(text.slice(note.length)).toContain(answer);
  expect(text.split(answer)).toHaveLength(2);
});
