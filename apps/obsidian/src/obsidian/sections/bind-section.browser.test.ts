import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';
import { WritingPerson } from '../../testing/writing-person.ts';

const patience = { timeout: 20_000 };
const call = (language: string, text: string) =>
  `\`\`\`${language}\ntool: echo\ntext: ${text}\n\`\`\`\n`;
const note = `# Report

## Numbers

${call('files', 'forbidden')}
### Details

${call('mcp', 'inherited')}
## Free

Text.
`;
const properties = (server: string, more = '') =>
  `---\nmcp:\n  sections:\n    - heading: "## Numbers"\n      server: ${server}\n${more}---\n`;
const servers = (journal: string) => [
  scriptedServerConfig({ journal }, { name: 'files' }),
  scriptedServerConfig({ journal }, { name: 'db' }),
];

test('binds the section at the cursor, and its calls go to that server alone', async () => {
  await using vault = await ScriptedVault.open(note, { servers });
  await vault.show('source');
  const person = new WritingPerson(vault);
  const { obsidian } = vault;
  const text = () => obsidian.text();
  const choose = async (query: string) => {
    await person.runCommand('Bind section to a server');
    await obsidian.page.locator('.prompt-input').fill(query);
    await person.press('Enter');
  };

  await person.goTo('## Numbers');
  await choose('db and what is below');
  await expect.poll(text, patience).toBe(properties('db') + note);
  await person.undo();
  expect(await text()).toBe(note);
  await person.goTo('## Numbers');
  await choose('db only');
  await expect.poll(text, patience).toBe(properties('db', '      inherit: false\n') + note);
  await choose('db and what is below');
  await expect.poll(text, patience).toContain('      inherit: true\n---');

  // The block of another server cannot be run, and says why.
  const cards = obsidian.page.locator('.errand-card');
  await expect
    .poll(() => cards.first().textContent(), patience)
    .toContain(
      'This section is bound to db (frontmatter line 4), so files may not be called here.',
    );
  const refused = cards.first().getByRole('button', { name: 'Run', exact: true });
  expect(await refused.isDisabled()).toBe(true);

  // A block below a nested heading that names no server asks the one of the section.
  await cards.last().getByRole('button', { name: 'Run', exact: true }).click();
  await vault.press('Agree and run');
  await expect.poll(text, patience).toContain('\ninherited\n```\n\n## Free');
  expect(vault.journal).toMatchObject([
    { kind: 'started' },
    { kind: 'call', tool: 'echo', arguments: { text: 'inherited' } },
  ]);

  await obsidian.harness.evaluate((each) => each.pane(0).setMode('preview'));
  const badges = obsidian.page.locator(':is(h1, h2, h3):has(.errand-section-badge):visible');
  const shown = () => badges.allTextContents();
  await expect
    .poll(shown, patience)
    .toEqual(["Numbersdb · from this note's properties", 'Detailsdb · inherited from ## Numbers']);
  const data = JSON.parse(obsidian.file('.obsidian/plugins/errand/data.json'));
  data.mcpServers[1].enabled = false;
  await obsidian.harness.evaluate((each, now) => each.writeData(now), JSON.stringify(data));
  await expect
    .poll(async () => (await shown())[0], patience)
    .toBe("Numbersdb is disabled · from this note's properties");

  await obsidian.harness.evaluate((each) => each.pane(0).setMode('source'));
  await person.goTo('## Numbers\n');
  await choose('unbind');
  await expect.poll(text, patience).toMatch(/^# Report\n/);
});

test('changes nothing in properties that are broken, and says why', async () => {
  const broken = `---\ntags: [a\n---\n${note}`;
  await using vault = await ScriptedVault.open(broken, { servers });
  await vault.show('source');
  const person = new WritingPerson(vault);
  await person.goTo('## Free');
  await person.runCommand('Bind section to a server');
  await person.press('Enter');
  const notice = vault.obsidian.page.locator('.notice');
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(
    /^The section was not bound\.\nFix the frontmatter first\. /,
  );
  expect(await vault.obsidian.text()).toBe(broken);
});
