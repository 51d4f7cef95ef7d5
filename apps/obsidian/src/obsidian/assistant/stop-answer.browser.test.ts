import { expect, test } from 'vitest';
import { AskVault, type AskVaultOptions } from '../../testing/ask-vault.ts';

const held = { text: ['One.\n\nTwo', ' more'], hold: new Promise(() => {}) };
const hang = { name: 'scripted__hang', arguments: {} };
const stopped = '#User : q\n\n#Claude : One.\n\nTwo\n\n*(Stopped here.)*\n';

/** A vault in which an answer has begun that never ends by itself. */
async function answering(options: AskVaultOptions = {}): Promise<AskVault> {
  const vault = await AskVault.of('#User : q\n', { script: [held], ...options });
  await vault.edit('#User : q');
  await vault.ask();
  await vault.shows('#Claude : One.');
  return vault;
}

test('Escape ends the request to the model, and is not captured before and after', async () => {
  await using vault = await AskVault.of('#User : q\n', { script: [held] });
  const { page } = vault.obsidian;
  await vault.edit('#User : q');
  const pressEscape = () =>
    page.evaluate(() => {
      const options = { key: 'Escape', keyCode: 27, bubbles: true, cancelable: true };
      const event = new KeyboardEvent('keydown', options);
      document.querySelector('.cm-content')?.dispatchEvent(event);
      return event.defaultPrevented;
    });
  expect(await pressEscape()).toBe(false);
  await vault.ask();
  await vault.shows('#Claude : One.');
  const hungUp = vault.model.hungUp();
  expect(await pressEscape()).toBe(true);
  await hungUp;
  await vault.answered();
  expect(await vault.obsidian.text()).toBe(stopped);
  expect(await pressEscape()).toBe(false);
  expect(await vault.undone()).toBe('#User : q\n');
});

test('the button and the command end the answer too', async () => {
  await using vault = await answering({ script: [held, held] });
  const first = vault.model.hungUp();
  expect(await vault.notice('Claude is answering')).toContain('note.md');
  await vault.press('Stop');
  await first;
  await vault.answered();
  expect(await vault.obsidian.text()).toBe(stopped);

  await vault.undone();
  await vault.ask();
  await vault.shows('#Claude : One.');
  const second = vault.model.hungUp();
  await vault.command('Stop the answer in this note');
  await second;
  await vault.answered();
  const names = await vault.obsidian.harness.evaluate((each) => each.commands.names());
  expect(names).not.toContain('Errand: Stop the answer in this note');
});

test('stopping executions ends the answer too, while it is streaming', async () => {
  await using vault = await answering();
  const hungUp = vault.model.hungUp();
  await vault.command('Stop executions');
  await hungUp;
  await vault.answered();
  expect(await vault.obsidian.text()).toBe(stopped);
  expect(await vault.undone()).toBe('#User : q\n');
});

test('notifies the server of a running call that is cancelled', async () => {
  await using vault = await AskVault.of('#User : q\n', {
    server: { approval: 'allow' },
    script: [{ text: ['I try.'], calls: [hang] }],
  });
  await vault.edit('#User : q');
  await vault.ask();
  await vault.heard('call');
  expect(await vault.notice('Claude calls scripted hang')).toContain('Stop');
  await vault.press('Stop');
  await vault.heard('cancelled');
  await vault.answered();
  expect(await vault.obsidian.text()).toMatch(/tool: hang[\s\S]*code=cancelled[\s\S]*Stopped here/);
});

test('answers one question of a note at a time, and two notes at once', async () => {
  await using vault = await answering({
    notes: { 'other.md': '#User : other\n' },
    script: [held, { text: ['There.'] }],
  });
  await vault.ask();
  await vault.notice('An answer is still coming in this note.');
  expect(vault.model.requests).toHaveLength(1);

  await vault.obsidian.harness.evaluate((each) => each.open('other.md', 'source'));
  await vault.ask();
  await expect
    .poll(() => vault.obsidian.text(1), { timeout: 20_000 })
    .toBe('#User : other\n\n#Claude : There.\n');
  expect(await vault.obsidian.text(0)).toContain('#Claude : One.');
  await vault.press('Stop');
  await vault.answered();
});

test('leaves nothing behind when the plugin is disabled', async () => {
  await using vault = await answering();
  const { obsidian, model } = vault;
  const hungUp = model.hungUp();
  await obsidian.harness.evaluate((each) => each.unload());
  await hungUp;
  await vault.shows('Stopped here');
  await vault.answered();
  expect(await obsidian.text()).toBe(stopped);
  expect(await obsidian.page.locator('.notice').count()).toBe(0);
  expect(await obsidian.harness.evaluate((each) => each.listeners())).toBe(0);
  expect(await obsidian.harness.evaluate((each) => each.commands.names())).toEqual([]);
});
