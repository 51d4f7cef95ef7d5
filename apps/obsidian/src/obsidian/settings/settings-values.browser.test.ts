import { expect, test } from 'vitest';
import { patience, SettingsDriver, ways } from '../../testing/settings-driver.ts';

test.each(ways)(
  'shows a wrong value at its field and does not store it ($way)',
  async ({ drawsTabs }) => {
    await using driver = await SettingsDriver.open({ version: 1, logDays: 7 }, { drawsTabs });
    const { page } = driver.vault.obsidian;
    await driver.type('Calls of one session', '0');
    expect(await driver.mistake('Calls of one session').textContent()).toBe(
      'Write a whole number, 1 or more, or -1 for no limit.',
    );
    await page.keyboard.press('Tab');
    expect(driver.data.mcpSessionLimit).toBeUndefined();
    await driver.type('Calls of one session', '-1');
    await page.keyboard.press('Tab');
    await expect.poll(() => driver.data.mcpSessionLimit, patience).toBe(-1);
    await driver.type('Folder for attachments', '../outside');
    expect(await driver.mistake('Folder for attachments').textContent()).toContain(
      'inside the vault',
    );
    await driver.type('Seconds a call may take', '1.5');
    await page.keyboard.press('Enter');
    await expect.poll(() => driver.data.mcpGlobalTimeout, patience).toBe(1_500);
    await driver.choose('When a call fails', 'keep');
    await expect.poll(() => driver.data.onError, patience).toBe('keep');

    // Somebody else writes the file: shown where nothing was typed, told where something was.
    await driver.type('Days to keep calls', '9');
    await driver.writeData({ version: 1, logDays: 30, logMegabytes: 5 });
    await driver.sees('Changed elsewhere to 30 meanwhile.');
    expect(await driver.field('Days to keep calls').inputValue()).toBe('9');
    await expect.poll(() => driver.field('Megabytes of the log').inputValue(), patience).toBe('5');
    await driver.press('Take it');
    expect(await driver.field('Days to keep calls').inputValue()).toBe('30');
    // What was wrong was never stored and is still there to be mended.
    expect(await driver.field('Folder for attachments').inputValue()).toBe('../outside');
    await driver.close();
    expect(driver.data).toEqual({ version: 1, logDays: 30, logMegabytes: 5 });
  },
);

test.each(ways)(
  'a broken data file is explained and not written over ($way)',
  async ({ drawsTabs }) => {
    const broken = '{ "version": 1,\n  "logDays": }';
    await using driver = await SettingsDriver.open(broken, { drawsTabs });
    await driver.sees(/data\.json, line 2, column \d+: /);
    await driver.sees(
      /Open \.obsidian\/plugins\/errand\/data\.json of this vault in a text editor/,
    );
    expect(driver.text).toBe(broken);
    await driver.writeData('{ "version": 1, "logDays": "many" }');
    await driver.sees(/logDays: Write a whole number of days/);
    await driver.sees('No server yet.');
    await driver.writeData(broken);
    await driver.sees(/data\.json, line 2, column \d+: /);
    const notices = () => driver.vault.obsidian.harness.evaluate((each) => each.notices.length);
    const before = await notices();
    await driver.type('Calls at once', '3');
    await driver.vault.obsidian.page.keyboard.press('Tab');
    await expect.poll(notices, patience).toBeGreaterThan(before);
    expect(driver.text).toBe(broken);
    expect(await driver.field('Calls at once').inputValue()).toBe('3');
    // Rows come and go only while no field has the focus.
    await driver.field('Calls of one session').blur();
    await driver.writeData({ version: 1 });
    await expect.poll(() => driver.row('Fix the file').count(), patience).toBe(0);
  },
);

test.each(ways)('stops everything when the settings are closed ($way)', async ({ drawsTabs }) => {
  await using driver = await SettingsDriver.open({ version: 1 }, { drawsTabs });
  const { page } = driver.vault.obsidian;
  await driver.close();
  await page.evaluate(() => {
    const { setInterval: set, clearInterval: clear } = window;
    const running = new Set<unknown>();
    Object.assign(window, {
      running,
      setInterval: (...args: Parameters<typeof set>) => {
        const id = set(...args);
        running.add(id);
        return id;
      },
      clearInterval: (id: number) => {
        running.delete(id);
        clear(id);
      },
    });
  });
  const timers = () => page.evaluate(() => (Reflect.get(window, 'running') as Set<unknown>).size);
  await driver.show();
  expect(await timers()).toBe(1);
  await driver.close();
  await expect.poll(timers, patience).toBe(0);
});
