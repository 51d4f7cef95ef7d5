import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = { timeout: 20_000 };

const count = 100;
const note = Array.from(
  { length: count },
  (_, at) => `\`\`\`scripted\ntool: echo\ntext: block ${at}\n\`\`\`\n`,
).join('\n');

test.each(['preview', 'source'] as const)(
  'builds the text of a changed note once for all of its cards and badges (%s)',
  async (mode) => {
    const properties = '---\nmcp: {server: scripted}\n---\n';
    await using vault = await ScriptedVault.open(`${properties}Words.\n\n${note}\nEnd.\n`);
    const { page, harness } = vault.obsidian;
    await vault.show(mode);
    const cards = page.locator('.errand-card[data-state="new"]:visible');
    if (mode === 'preview') await expect.poll(() => cards.count(), patience).toBe(count);
    else await page.locator('.errand-section-badge').first().waitFor();
    const asked = await harness.evaluate(async (each) => {
      const pane = each.pane(0);
      const counted = { texts: 0 };
      const { getViewData } = pane;
      pane.getViewData = () => {
        counted.texts += 1;
        return getViewData.call(pane);
      };
      const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const type = () =>
        pane.editor.transaction({ changes: [{ from: { line: 3, ch: 0 }, text: 'x' }] });
      // Which editor holds the whole note is found out once.
      type();
      await drawn();
      await drawn();
      counted.texts = 0;
      type();
      await drawn();
      await drawn();
      return counted.texts;
    });
    // Once when the cards are made anew, and once at the next drawing.
    expect(asked).toBeLessThanOrEqual(2);
  },
);
