import { expect, test } from 'vitest';
import { patience, SettingsHands, ways } from '../../testing/settings-hands.ts';

test.each(ways)(
  'a wrong value is told at its field and not stored ($way)',
  async ({ drawsTabs }) => {
    await using hands = await SettingsHands.open({ version: 1, logDays: 7 }, { drawsTabs });
    const { page } = hands.vault.obsidian;
    await hands.type('Calls of one session', '0');
    expect(await hands.mistake('Calls of one session').textContent()).toBe(
      'Write a whole number from 1 on, or -1 for no limit.',
    );
    await page.keyboard.press('Tab');
    expect(hands.data.mcpSessionLimit).toBeUndefined();
    await hands.type('Calls of one session', '-1');
    await page.keyboard.press('Tab');
    await expect.poll(() => hands.data.mcpSessionLimit, patience).toBe(-1);
    await hands.type('Folder for attachments', '../outside');
    expect(await hands.mistake('Folder for attachments').textContent()).toContain(
      'inside the vault',
    );
    await hands.type('Seconds a call may take', '1.5');
    await page.keyboard.press('Enter');
    await expect.poll(() => hands.data.mcpGlobalTimeout, patience).toBe(1_500);
    await hands.choose('When a call fails', 'keep');
    await expect.poll(() => hands.data.onError, patience).toBe('keep');

    // Somebody else writes the file: shown where nothing was typed, told where something was.
    await hands.type('Days to keep calls', '9');
    await hands.writeData({ version: 1, logDays: 30, logMegabytes: 5 });
    await hands.sees('Changed elsewhere to 30 meanwhile.');
    expect(await hands.field('Days to keep calls').inputValue()).toBe('9');
    await expect.poll(() => hands.field('Megabytes of the log').inputValue(), patience).toBe('5');
    await hands.press('Take it');
    expect(await hands.field('Days to keep calls').inputValue()).toBe('30');
    // What was wrong was never stored and is still there to be mended.
    expect(await hands.field('Folder for attachments').inputValue()).toBe('../outside');
    await hands.close();
    expect(hands.data).toEqual({ version: 1, logDays: 30, logMegabytes: 5 });
  },
);

test.each(ways)(
  'a broken data file is explained and not written over ($way)',
  async ({ drawsTabs }) => {
    const broken = '{ "version": 1,\n  "logDays": }';
    await using hands = await SettingsHands.open(broken, { drawsTabs });
    await hands.sees(/data\.json, line 2, column \d+: /);
    await hands.sees(/Open \.obsidian\/plugins\/errand\/data\.json of this vault in a text editor/);
    expect(hands.text).toBe(broken);
    await hands.writeData('{ "version": 1, "logDays": "many" }');
    await hands.sees(/logDays: Write a whole number of days/);
    await hands.sees('No server yet.');
    await hands.writeData(broken);
    await hands.sees(/data\.json, line 2, column \d+: /);
    const told = () => hands.vault.obsidian.harness.evaluate((each) => each.told.length);
    const before = await told();
    await hands.type('Calls at once', '3');
    await hands.vault.obsidian.page.keyboard.press('Tab');
    await expect.poll(told, patience).toBeGreaterThan(before);
    expect(hands.text).toBe(broken);
    expect(await hands.field('Calls at once').inputValue()).toBe('3');
    // Rows come and go only while no field has the focus.
    await hands.field('Calls of one session').blur();
    await hands.writeData({ version: 1 });
    await expect.poll(() => hands.row('Mend the file').count(), patience).toBe(0);
  },
);

test.each(ways)(
  'nothing of it goes on when the settings are closed ($way)',
  async ({ drawsTabs }) => {
    await using hands = await SettingsHands.open({ version: 1 }, { drawsTabs });
    const { page } = hands.vault.obsidian;
    await hands.close();
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
    await hands.show();
    expect(await timers()).toBe(1);
    await hands.close();
    await expect.poll(timers, patience).toBe(0);
  },
);
