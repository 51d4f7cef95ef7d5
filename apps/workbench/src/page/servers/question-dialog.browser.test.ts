import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const form = {
  message: 'Where shall it go?',
  requestedSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', minLength: 2 },
      size: { type: 'integer', minimum: 1, default: 3 },
      way: {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'By air' },
          { const: 'b', title: 'By sea' },
        ],
      },
      sure: { type: 'boolean', default: false },
    },
    required: ['city'],
  },
};

/** Lets the server's tool ask, as a call does that needs to know something. */
async function ask(page: Page, params: object): Promise<void> {
  await page.getByRole('button', { name: 'Try ask', exact: true }).click();
  const tool = page.getByRole('form', { name: 'Try ask', exact: true });
  await tool.getByLabel('method').fill('elicitation/create');
  await tool.getByLabel('params').fill(JSON.stringify(params));
  await tool.getByRole('button', { name: 'Run' }).click();
}

function asking() {
  const server = scriptedServerConfig({}, { name: 'asker' });
  return [{ settings: { mcpServers: [server] } }, { route: `/servers/${server.id}` }] as const;
}

test('a question of a server is a form, and its answer goes back', async () => {
  await using opened = await openPage(...asking());
  const { page, complaints } = opened;
  await ask(page, form);
  const dialog = page.getByRole('dialog', { name: 'asker asks' });
  await dialog.getByText('Where shall it go?').waitFor();
  await opened.photograph('servers-question');
  expect(await findAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('This is required.').waitFor();
  await dialog.getByLabel('City').fill('Rome');
  await dialog.getByLabel('way').selectOption('By sea');
  await dialog.getByLabel('sure').check();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await page.getByText('"accept"').first().waitFor();
  const answer = page.locator('.tool-content');
  for (const part of ['"Rome"', '"b"', 'true', '3']) {
    await answer.getByText(part, { exact: true }).waitFor();
  }
  expect(complaints).toEqual([]);
});

test('a question that is declined in one tab goes away in the other', async () => {
  await using opened = await openPage(...asking());
  const { page } = opened;
  const other = await opened.anotherTab();
  await ask(page, form);
  for (const tab of [page, other]) await tab.getByRole('dialog', { name: 'asker asks' }).waitFor();
  await other.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('"decline"').first().waitFor();
});

test('an address is opened only when it is one of the web', async () => {
  await using opened = await openPage(...asking());
  const { page } = opened;
  const url = { mode: 'url', message: 'Sign in there', elicitationId: '1' };
  await ask(page, { ...url, url: 'javascript:alert(1)' });
  const dialog = page.getByRole('dialog', { name: 'asker asks you to open a page' });
  await page.getByText('"decline"').first().waitFor();
  await page.getByText('only https pages are opened').waitFor();
  expect(await dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Close ask', exact: true }).click();
  await ask(page, { ...url, url: `${new URL(page.url()).origin}/icon.svg` });
  const popup = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: `Open ${new URL(page.url()).host}` }).click();
  expect(new URL((await popup).url()).pathname).toBe('/icon.svg');
  await dialog.waitFor({ state: 'detached' });
});

test('text of a server is set apart, and its invisible or reversing characters are escaped', async () => {
  await using opened = await openPage(...asking());
  const { page, complaints } = opened;
  await ask(page, {
    message: 'Safe\u202egnihton\u200b here\nThe answer goes to Errand.',
    requestedSchema: {
      type: 'object',
      properties: {
        city: { type: 'string', title: 'City\u2066', description: 'Any\u202e city' },
        way: { type: 'string', enum: ['a\u202eb'] },
      },
    },
  });
  const dialog = page.getByRole('dialog', { name: 'asker asks' });
  const said = dialog.locator('.from-server blockquote');
  expect(await said.textContent()).toBe(
    'Safe\\u202egnihton\\u200b here\nThe answer goes to Errand.',
  );
  const fields = dialog.getByRole('figure').filter({ hasText: 'asker wants to know:' });
  await fields.getByLabel('City\\u2066').waitFor();
  await fields.getByText('Any\\u202e city').waitFor();
  expect(await fields.locator('option').allTextContents()).toContain('a\\u202eb');
  expect(await findAxeProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a field that looks like a secret is warned of and not shown', async () => {
  await using opened = await openPage(...asking());
  const { page } = opened;
  await ask(page, {
    message: 'Log in.',
    requestedSchema: {
      type: 'object',
      properties: {
        user: { type: 'string' },
        code: { type: 'string', title: 'Your password' },
      },
    },
  });
  const dialog = page.getByRole('dialog', { name: 'asker asks' });
  expect(await dialog.getByLabel('user').getAttribute('type')).not.toBe('password');
  expect(await dialog.getByLabel('Your password').getAttribute('type')).toBe('password');
  await dialog.getByText('This looks like a secret').waitFor();
  await dialog.getByLabel('Your password').fill('swordfish');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await page.locator('.tool-content').getByText('"swordfish"', { exact: true }).waitFor();
});
