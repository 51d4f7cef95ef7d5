import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = { timeout: 20_000 };

const hang = '```scripted\ntool: hang\n```\n\nBelow.\n';

test('keeps the keyboard focus on the button while its block runs, also in a redrawn card', async () => {
  await using vault = await ScriptedVault.open(
    '```scripted\ntool: echo\ntext: hello\n```\n\nEnd.\n',
  );
  const { page, harness } = vault.obsidian;
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await vault.show('preview');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  await page.getByRole('button', { name: 'Run again' }).press('Enter');
  await expect
    .poll(() => vault.journal.filter(({ kind }) => kind === 'call').length, patience)
    .toBe(2);
  await vault.hasState('fresh');
  expect(await focused()).toBe('Run again');
  await harness.evaluate((each) => each.pane(0).setMode('preview'));
  await expect.poll(focused, patience).toBe('Run again');
});

test.each(['source', 'preview'] as const)(
  'shows the blocks of a server that is added while the note is open (%s)',
  async (mode) => {
    await using vault = await ScriptedVault.open('```later\ntool: echo\n```\n\nEnd.\n');
    const { page, file, harness } = vault.obsidian;
    await vault.show(mode);
    expect(await page.locator('.errand-card:visible').count()).toBe(0);
    const data = JSON.parse(file('.obsidian/plugins/errand/data.json'));
    const [server] = data.mcpServers;
    const mcpServers = [...data.mcpServers, { ...server, id: 'later', name: 'later' }];
    const text = JSON.stringify({ ...data, mcpServers });
    await harness.evaluate((each, now) => each.writeData(now), text);
    await page.locator('.errand-card:visible').waitFor();
  },
);

test('shows the elapsed time of a running block, and leaves no timer afterwards', async () => {
  await using vault = await ScriptedVault.open(hang);
  const { page, harness } = vault.obsidian;
  await page.evaluate(() => {
    const timers = new Set<number>();
    const { setInterval, clearInterval } = window;
    Object.assign(window, {
      timers,
      setInterval: (...args: Parameters<typeof setInterval>) => {
        const timer = setInterval(...args);
        timers.add(timer);
        return timer;
      },
      clearInterval: (timer: number) => {
        timers.delete(timer);
        clearInterval(timer);
      },
    });
  });
  const timers = () => page.evaluate(() => (window as unknown as { timers: Set<1> }).timers.size);
  await vault.show('preview');
  const before = await timers();
  await vault.agreeAndRun();
  await vault.heard('call');
  expect(await page.getByRole('status').first().textContent()).toBe('Running');
  expect(await timers()).toBeGreaterThan(before);
  await expect
    .poll(() => page.locator('.errand-card-time:visible').textContent(), patience)
    .toMatch(/^\d+ s$/);
  await vault.press('Cancel');
  await vault.hasState('new');
  expect(await timers()).toBe(before);
  await vault.press('Run');
  await vault.hasState('running');
  await harness.evaluate((each) => each.unload());
  await expect.poll(timers, patience).toBe(before);
  expect(await page.locator('[class*=errand]').count()).toBe(0);
  expect(await page.locator('pre').textContent()).toBe('tool: hang');
});

test('fits a card with long names and long words into a narrow pane', async () => {
  const word = 'x'.repeat(300);
  const note = `\`\`\`scripted\ntool: ${'a_long_name_'.repeat(8)}\n${'parameter_'.repeat(8)}: ${word}\n\`\`\`\n\nEnd.\n`;
  await using vault = await ScriptedVault.open(note);
  const { page } = vault.obsidian;
  await page.setViewportSize({ width: 380, height: 700 });
  await vault.show('preview');
  await vault.hasState('new');
  const isWider = () => document.documentElement.scrollWidth > window.innerWidth;
  expect(await page.evaluate(isWider)).toBe(false);
  await page.locator('.errand-card:visible summary').press('Enter');
  expect(await page.evaluate(isWider)).toBe(false);
});

const misnamed =
  '```scriptde\ntool: echo\ntext: hello\n```\n\n```other\ntool: echo\n```\n\nBelow.\n';

test('tells in Reading view that a language is nearly the name of a server', async () => {
  await using vault = await ScriptedVault.open(misnamed);
  const { page, harness } = vault.obsidian;
  await vault.show('preview');
  const messages = page.locator('.errand-card-message:visible');
  await messages.first().waitFor();
  expect(await messages.allTextContents()).toEqual([
    'There is no server "scriptde". Did you mean "scripted"? See them in the settings of Errand.',
  ]);
  expect(await page.locator('pre').first().textContent()).toBe('tool: echo\ntext: hello\n');
  await harness.evaluate((each) => each.unload());
  await expect.poll(() => messages.count()).toBe(0);
});
