import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '@errand/host';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Locator, Page } from 'playwright-core';
import { ScriptedVault } from './scripted-vault.ts';

/** The largest size of a picture, in bytes. */
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

const weather: Partial<ServerConfig> = {
  name: 'weather',
  deploymentType: 'managed',
  dockerConfig: { image: 'mcp/weather:1', containerName: 'weather' },
  enabled: false,
};

/** What a theme of Obsidian does for the bare elements of the stand-in. */
const frame = `
  body { margin: 0 24px }
  .status-bar { display: none }
  .mod-right-split { width: 340px; padding: 12px }
  .mod-right-split a { color: var(--text-accent) }
  .settings-window { padding: 8px 24px }
  .setting-item { display: flex; align-items: center; gap: 16px; padding: 10px 0 }
  .setting-item:not(.setting-item-heading) { border-top: 1px solid var(--background-modifier-border) }
  .setting-item-info { flex: 1; min-width: 0 }
  .setting-item-heading .setting-item-name { font-weight: var(--font-semibold) }
  .setting-item-description { color: var(--text-muted); font-size: var(--font-ui-smaller) }
  .setting-item-control { display: flex; align-items: center; gap: 8px }
  .setting-item-value { color: var(--text-muted); font-size: var(--font-ui-small) }`;

// The pictures of docs/obsidian.md: the built plugin in the stand-in.
const folder = process.argv[2] ?? '.';
await using vault = await ScriptedVault.open(note, {
  servers: (journal) => [
    scriptedServerConfig({ journal }),
    scriptedServerConfig({ journal }, weather),
  ],
});
const { harness, page } = vault.obsidian;
await page.setViewportSize({ width: 760, height: 410 });
await page.addStyleTag({ content: frame });
await vault.show('preview');
const cards = page.locator('.errand-card:visible');
await cards.first().getByRole('button', { name: 'Run', exact: true }).click();
await vault.press('Agree and run');
await vault.hasState('fresh');
for (const theme of ['dark', 'light'] as const) {
  await page.evaluate((name) => {
    document.body.classList.remove('theme-light', 'theme-dark');
    document.body.classList.add(`theme-${name}`);
  }, theme);
  await take(page, `obsidian-${theme}`);
}

await vault.command('Open side view');
await page.locator('.errand-past').waitFor();
await take(page.locator('.mod-right-split'), 'obsidian-side-view');

await harness.evaluate((each) => each.closeAll());
await page.setViewportSize({ width: 760, height: 1200 });
await harness.evaluate((each) => each.settings.open());
await take(page.locator('.settings-window'), 'obsidian-settings');

async function take(what: Locator | Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await what.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; ${mostBytes} are allowed.`);
  console.log(`${path}: ${Math.round(size / 1_000)} KB`);
}
