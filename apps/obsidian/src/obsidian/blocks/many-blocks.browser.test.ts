import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = { timeout: 20_000 };

const count = 100;
const note = Array.from(
  { length: count },
  (_, at) => `\`\`\`scripted\ntool: echo\ntext: block ${at}\n\`\`\`\n`,
).join('\n');

test('builds the text of a changed note once for all of its cards', async () => {
  await using vault = await ScriptedVault.open(`Words.\n\n${note}\nEnd.\n`);
  const { page, harness } = vault.obsidian;
  await vault.show('preview');
  const cards = page.locator('.errand-card[data-state="new"]:visible');
  await expect.poll(() => cards.count(), patience).toBe(count);
  const asked = await harness.evaluate(async (each) => {
    const pane = each.pane(0);
    const counted = { texts: 0 };
    const { getViewData } = pane;
    pane.getViewData = () => {
      counted.texts += 1;
      return getViewData.call(pane);
    };
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await drawn();
    await drawn();
    counted.texts = 0;
    pane.editor.transaction({ changes: [{ from: { line: 0, ch: 0 }, text: 'x' }] });
    await drawn();
    await drawn();
    return counted.texts;
  });
  // Once when the cards are made anew, and once at the next drawing.
  expect(asked).toBeLessThanOrEqual(2);
});
