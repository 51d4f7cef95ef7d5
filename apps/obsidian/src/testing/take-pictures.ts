import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptedVault } from './scripted-vault.ts';

/** More than this is too much to load for a look. */
const mostBytes = 150_000;

const note = `# Weekly review

What is new since Monday?

\`\`\`scripted
tool: echo
text: Three notes were added, and one was renamed.
\`\`\`

And this one has not run yet:

\`\`\`scripted
tool: echo
text: What is still open?
\`\`\`
`;

// The pictures of docs/obsidian.md: the built plugin in the stand-in, in a light and in a dark theme.
const folder = process.argv[2] ?? '.';
await using vault = await ScriptedVault.open(note);
const { page } = vault.obsidian;
await page.setViewportSize({ width: 760, height: 410 });
await page.addStyleTag({ content: 'body { margin: 0 24px } .status-bar { display: none }' });
await vault.show('preview');
const cards = page.locator('.errand-card:visible');
await cards.first().getByRole('button', { name: 'Run', exact: true }).click();
await vault.press('Agree and run');
await vault.hasState('fresh');
for (const theme of ['light', 'dark'] as const) {
  await page.evaluate((name) => {
    document.body.classList.remove('theme-light', 'theme-dark');
    document.body.classList.add(`theme-${name}`);
  }, theme);
  const path = join(folder, `obsidian-${theme}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; ${mostBytes} are allowed.`);
  console.log(`${path}: ${Math.round(size / 1_000)} KB`);
}
