import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';
import { WritingPerson } from '../../testing/writing-person.ts';

const patience = { timeout: 20_000 };
const note = `---
mcp:
  sections:
    - heading: "# Garden"
      server: files
    - heading: Numbers
      server: gone
    - block: own
      server: db
    - lines: [13, 14]
      server: db
---
Above.

# Garden

## Beds

Text here.
^own

# Numbers

# Free
`;
const servers = (journal: string) => [
  scriptedServerConfig({ journal }, { name: 'files' }),
  scriptedServerConfig({ journal }, { name: 'db', id: 'db' }),
];

test('shows at each bound section which server it may call, and why', async () => {
  await using vault = await ScriptedVault.open(note, { servers });
  await vault.show('source');
  const person = new WritingPerson(vault);
  const { obsidian } = vault;
  const shown = () =>
    obsidian.page
      .locator('.cm-line:has(.errand-section-badge)')
      .evaluateAll((lines) => lines.map((line) => line.textContent));
  const bound = [
    "Above.Lines 13 to 14: db · from this note's properties",
    "# Gardenfiles · from this note's properties",
    '## Bedsfiles · inherited from # Garden',
    "^own^own: db · from this note's properties",
  ];
  const broken =
    '# NumbersNo server · Frontmatter line 6: There is no server "gone". Registered: files, db.';
  await expect.poll(shown, patience).toEqual([...bound, broken]);

  await person.goTo('server: go');
  await person.type('n');
  await expect.poll(shown, patience).toEqual([...bound, broken.replace('gone', 'gonne')]);
  await person.undo();
  await person.goTo('## Beds');
  await person.type('\n\n# Numbers two');
  await expect.poll(shown, patience).toEqual([...bound, broken]);

  // A server that is disabled, and a binding of the settings, are seen at once.
  const data = JSON.parse(obsidian.file('.obsidian/plugins/errand/data.json'));
  data.mcpServers[0].enabled = false;
  data.mcpServers[1].sectionBindings = [
    {
      sectionType: 'heading',
      headingText: 'Free',
      serverId: 'db',
      inheritToChildren: true,
      documentPath: '*.md',
    },
  ];
  await obsidian.harness.evaluate((each, text) => each.writeData(text), JSON.stringify(data));
  await expect
    .poll(shown, patience)
    .toEqual([
      bound[0],
      "# Gardenfiles is disabled · from this note's properties",
      '## Bedsfiles is disabled · inherited from # Garden',
      bound[3],
      broken,
      '# Freedb · from settings for *.md',
    ]);
  await obsidian.harness.evaluate((each) => each.pane(0).showEditorAs('source'));
  expect(await shown()).toHaveLength(6);
  await obsidian.harness.evaluate((each) => each.pane(0).editFragment('# Free', 'footnotes'));
  expect(await shown()).toHaveLength(6);
  expect(vault.journal).toEqual([]);
  await obsidian.harness.evaluate((each) => each.unload());
  expect(await shown()).toEqual([]);
});
