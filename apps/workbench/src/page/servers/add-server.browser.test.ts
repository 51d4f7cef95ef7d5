import {
  ScriptedHttpServer,
  type ServerScript,
  scriptedServerConfig,
} from '@errand/machine/testing';
import { joinCommand } from '@errand/workspace/servers';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type OpenPage, openPage } from '../testing/open-page.ts';

const add = { route: '/servers?add=1' };

function programOf(script: ServerScript = {}) {
  const { command = '', args = [] } = scriptedServerConfig(script).localConfig ?? {};
  return { command, args };
}

function lineOf(script: ServerScript = {}): string {
  const { command, args } = programOf(script);
  return joinCommand([command, ...args]);
}

async function choose(page: Page, label: string): Promise<void> {
  await page.getByRole('group', { name: 'What it is' }).getByText(label, { exact: true }).click();
}

function hasFocus(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element === document.activeElement);
}

async function stored(opened: OpenPage): Promise<readonly { name: string; enabled: boolean }[]> {
  return JSON.parse(await opened.workbench.readNote('.errand/settings.json')).mcpServers;
}

test('adds a server by command: named, tested step by step, enabled', async () => {
  await using opened = await openPage({}, add);
  const { page, complaints } = opened;
  await page.getByLabel('Command (required)').fill('uvx mcp-server-weather');
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('weather');
  await page.getByLabel('Command (required)').fill(lineOf());
  await page.getByLabel('Name').fill('mine');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await page.getByRole('dialog', { name: 'mine works' }).waitFor();
  const steps = page.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem');
  await expect
    .poll(() => steps.allTextContents())
    .toEqual([
      expect.stringMatching(/^Starting \d.*s/),
      expect.stringMatching(/^Connecting \d.*s$/),
      expect.stringMatching(/^Listing its tools \d.*s$/),
      expect.stringMatching(/^Checking its health \d.*s$/),
    ]);
  await page.getByText('It is enabled: notes can use it now.').waitFor();
  await opened.photograph('servers-add-works');
  expect(await stored(opened)).toMatchObject([{ name: 'mine', enabled: true }]);
  await page.getByRole('link', { name: 'See its tools' }).click();
  await page.getByRole('heading', { level: 1, name: 'mine' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a broken server says why, is fixed in the same form, and is then enabled', async () => {
  await using opened = await openPage({}, add);
  const { page } = opened;
  await page
    .getByLabel('Command (required)')
    .fill(lineOf({ onStart: 'exit', stderr: 'no cheese\n' }));
  await page.getByLabel('Name').fill('mine');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await page.getByRole('dialog', { name: 'mine does not work yet' }).waitFor();
  await page.getByText('no cheese', { exact: true }).waitFor();
  await opened.photograph('servers-add-fails');
  expect(await stored(opened)).toMatchObject([{ name: 'mine', enabled: false }]);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Command (required)').fill(lineOf());
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByRole('dialog', { name: 'mine works' }).waitFor();
  await page.getByText('It is enabled').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.getByRole('switch', { name: 'mine is enabled' }).isChecked()).toBe(true);
});

test('a broken server can be kept disabled', async () => {
  await using opened = await openPage({}, add);
  const { page } = opened;
  await page.getByLabel('Command (required)').fill(lineOf({ onStart: 'exit' }));
  await page.getByLabel('Name').fill('mine');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await page.getByRole('button', { name: 'Keep it disabled' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  expect(await stored(opened)).toMatchObject([{ name: 'mine', enabled: false }]);
});

test('an image without an engine says what is missing', async () => {
  await using opened = await openPage({}, add);
  const { page } = opened;
  await choose(page, 'Image');
  await page.getByLabel('Image (required)').fill('mcp/weather:1');
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('weather');
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Transport').selectOption('http');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await page.getByText('Write the port').waitFor();
  // The focus moves as the mistake appears, so that it cannot interrupt what is typed afterwards.
  expect(await hasFocus(page.getByLabel('Port inside the container'))).toBe(true);
  await page.getByLabel('Port inside the container').fill('8080');
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Name of variable 1').fill('TOKEN');
  await page.getByLabel('Value of variable 1').fill(['$', '{secret:WEATHER}'].join(''));
  await opened.photograph('servers-add-image');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await page.getByRole('dialog', { name: 'weather does not work yet' }).waitFor();
  await page.getByRole('dialog').getByText('which this program cannot reach').waitFor();
  expect(await stored(opened)).toMatchObject([
    { dockerConfig: { image: 'mcp/weather:1', ports: { 8080: 0 } }, enabled: false },
  ]);
});

test('correcting one of two mistakes keeps the focus in its field', async () => {
  await using opened = await openPage({}, add);
  const { page } = opened;
  const submit = page.getByRole('button', { name: 'Add and test' });
  await submit.click();
  await page.getByRole('alert').nth(1).waitFor();
  const command = page.getByLabel('Command (required)');
  expect(await hasFocus(command)).toBe(true);
  await command.pressSequentially('"x y');
  expect(await command.inputValue()).toBe('"x y');
  // The same mistake again takes the focus again.
  for (const _ of [1, 2]) {
    await submit.click();
    await expect.poll(() => hasFocus(command)).toBe(true);
  }
});

test('adds a server by its address, with a header', async () => {
  await using remote = await new ScriptedHttpServer({}, { token: 'abc' }).start();
  await using opened = await openPage({}, add);
  const { page } = opened;
  await choose(page, 'Address');
  await page.getByLabel('Address (required)').fill(remote.url);
  await expect.poll(() => page.getByLabel('Name').inputValue()).toMatch(/^local-\d+$/);
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Name of header 1').fill('Authorization');
  await page.getByLabel('Value of header 1').fill('Bearer abc');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await page.getByText('It is enabled').waitFor();
});

const { command, args } = programOf();
const pasted = {
  'Claude Desktop': JSON.stringify({ mcpServers: { one: { command, args }, two: { command } } }),
  'VS Code': JSON.stringify({
    servers: { one: { type: 'stdio', command, args }, two: { command } },
  }),
  Codex: [
    '[mcp_servers.one]',
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    '[mcp_servers.two]',
    `command = ${JSON.stringify(command)}`,
  ].join('\n'),
};

test.each(Object.entries(pasted))(
  'adds what is chosen of a configuration of %s',
  async (_, text) => {
    await using opened = await openPage({}, add);
    const { page } = opened;
    await choose(page, 'Paste');
    await page.getByLabel('Configuration').fill(text);
    await page.getByRole('checkbox', { name: /^two/ }).uncheck();
    await page.getByText(command).first().waitFor();
    await opened.photograph('servers-paste');
    expect(await stored(opened)).toEqual([]);
    await page.getByRole('button', { name: 'Add selected' }).click();
    await page.getByText('It works and has').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await stored(opened)).toMatchObject([{ name: 'one', enabled: true }]);
  },
);

test('wrong input is explained at its field, and nothing is stored', async () => {
  const taken = scriptedServerConfig({}, { name: 'taken', enabled: false });
  await using opened = await openPage({ settings: { mcpServers: [taken] } }, add);
  const { page } = opened;
  const submit = page.getByRole('button', { name: 'Add and test' });
  const described = (label: string) => page.getByLabel(label, { exact: true }).first();
  await submit.click();
  await page.getByText('Write the program to start').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await described('Command (required)').fill('npx "x');
  await submit.click();
  await page.getByText('unclosed quote').waitFor();
  await described('Command (required)').fill('npx x');
  for (const [name, words] of [
    ['my server', 'only letters'],
    ['python', 'language of other code blocks'],
    ['Taken', 'taken'],
  ] as const) {
    await described('Name (required)').fill(name);
    await submit.click();
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
  }
  await opened.photograph('servers-add-wrong');
  await page.getByText('More', { exact: true }).click();
  await described('Seconds a call may take').fill('0');
  await submit.click();
  await page.getByText('Write seconds from 1 to 300.').waitFor();
  await choose(page, 'Address');
  await described('Address (required)').fill('ftp://host.example');
  await described('Name (required)').fill('fine');
  // What is wrong below "More" has unfolded it.
  await described('Seconds a call may take').fill('');
  await submit.click();
  await page.getByRole('alert').filter({ hasText: 'http' }).waitFor();
  await choose(page, 'Paste');
  await page.getByLabel('Configuration').fill('{');
  await page.getByRole('alert').waitFor();
  expect(await stored(opened)).toMatchObject([{ name: 'taken' }]);
});
