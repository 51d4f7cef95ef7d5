import { scriptedServerConfig } from '@errand/machine/testing';
import { joinCommand } from '@errand/workspace/servers';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { type OpenPageOptions, openPage } from '../testing/open-page.ts';

test('an empty vault says what a server is and how to add the first', async () => {
  await using opened = await openPage({}, { route: '/servers' });
  const { page, complaints } = opened;
  await page.getByText('A server is a program that gives your notes tools').waitFor();
  await opened.photograph('servers-empty');
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Add a server' }).click();
  await page.getByRole('dialog', { name: 'Add a server' }).waitFor();
  await opened.photograph('servers-add');
  expect(await findAxeProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a connected server shows its figures, and opens with its tools', async () => {
  const server = scriptedServerConfig({}, { name: 'weather' });
  await using opened = await openPage(
    { settings: { mcpServers: [server] } },
    { route: '/servers' },
  );
  const { page, complaints } = opened;
  await page.getByRole('button', { name: 'Try now: weather' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await opened.photograph('servers-connected');
  await page.getByRole('link', { name: 'weather' }).click();
  await page.getByRole('heading', { level: 1, name: 'weather' }).waitFor();
  await page.getByRole('button', { name: 'Try echo' }).click();
  await page.getByRole('textbox', { name: 'text' }).fill('Hello');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Answered').waitFor();
  await opened.photograph('servers-tool');
  expect(await findAxeProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

/** Servers in every state, some with names and reasons that hardly fit. */
function mixedServers() {
  const broken = { onStart: 'exit', stderr: 'no cheese\n' } as const;
  const name = 'a-very-long-name-that-somebody-gave-a-server-because-nobody-told-them-to-stop';
  return {
    settings: {
      mcpServers: [
        scriptedServerConfig({}, { name: 'weather' }),
        scriptedServerConfig(broken, { name: 'breaks' }),
        scriptedServerConfig(broken, { name }),
        scriptedServerConfig({}, { name: 'mail', enabled: false, autoDisabled: true }),
        scriptedServerConfig({}, { name: 'calendar', enabled: false }),
        scriptedServerConfig({}, { name: 'stranger' }),
      ],
    },
    strangers: ['stranger'],
    plan: { backoffIntervals: [90_000, 90_000, 90_000] },
  };
}

test.each<OpenPageOptions>([
  { width: 1440, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 380, colorScheme: 'light' },
  { width: 380, colorScheme: 'dark' },
])('every state is readable at $width px in $colorScheme', async (look) => {
  await using opened = await openPage(mixedServers(), { ...look, route: '/servers' });
  const { page } = opened;
  const picture = (name: string) =>
    opened.photograph(`servers-${name}-${look.width}-${look.colorScheme}`);
  await page.getByRole('dialog').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await picture('trust');
  await page.getByRole('button', { name: 'Not now' }).click();
  // All at once: each leaves the list once its server is tried.
  await page.getByRole('button', { name: /^Try now:/ }).evaluateAll((buttons) => {
    for (const button of buttons as HTMLButtonElement[]) button.click();
  });
  await page.getByText('Connected', { exact: true }).waitFor();
  const retrying = page.getByText('Retrying: attempt 1 of 3');
  await expect.poll(() => retrying.count()).toBe(2);
  expect(await findAxeProblems(page)).toEqual([]);
  await picture('list');
  // Nothing is wider than the window.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(look.width ?? 0);
  await page.getByRole('link', { name: 'weather' }).click();
  await page.getByRole('button', { name: 'Try ask', exact: true }).click();
  expect(await findAxeProblems(page)).toEqual([]);
  await picture('opened');
  await page.goBack();
  await page.getByRole('link', { name: 'Add a server' }).click();
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Add a variable' }).click();
  expect(await findAxeProblems(page)).toEqual([]);
  await picture('add');
});

test('the whole way works by keyboard alone', async () => {
  const { command = '', args = [] } = scriptedServerConfig().localConfig ?? {};
  await using opened = await openPage({}, { route: '/servers' });
  const { page } = opened;
  const { keyboard } = page;
  const reach = async (role: 'link' | 'button' | 'switch' | 'textbox', name: string) => {
    const target = page.getByRole(role, { name, exact: true });
    await target.waitFor();
    for (let steps = 0; steps < 80; steps += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`The ${role} "${name}" is not reached by the Tab key.`);
  };
  await reach('link', 'Add a server');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add a server' }).waitFor();
  await reach('textbox', 'Command (required)');
  await keyboard.insertText(joinCommand([command, ...args]));
  await reach('textbox', 'Name (required)');
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('mine');
  await keyboard.press('Enter');
  await reach('button', 'Done');
  await keyboard.press('Enter');
  await reach('switch', 'mine is enabled');
  await keyboard.press('Space');
  await page.getByText('Disabled', { exact: true }).waitFor();
  await keyboard.press('Space');
  await reach('link', 'mine');
  await keyboard.press('Enter');
  await reach('button', 'Try echo');
  await keyboard.press('Enter');
  await reach('textbox', 'text (required)');
  await keyboard.type('Hello');
  await reach('button', 'Run');
  await keyboard.press('Enter');
  await page.getByText('Answered').waitFor();
  await reach('button', 'Remove mine');
  await keyboard.press('Enter');
  await reach('button', 'Keep it');
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
