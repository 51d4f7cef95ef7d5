import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';
import { TemporaryJournal } from '../testing/temporary-journal.ts';

const address = {
  type: 'object',
  title: 'Address',
  properties: {
    city: { type: 'string', maxLength: 20 },
    zip: { type: 'string', pattern: '^\\d+$' },
  },
  required: ['city'],
};
const plan = {
  name: 'plan',
  description: 'Plans a journey.\n\nEverything about it is asked for.',
  annotations: { destructiveHint: true },
  inputSchema: {
    type: 'object',
    $defs: { address },
    properties: {
      note: { type: 'string' },
      from: { $ref: '#/$defs/address' },
      stops: { type: 'array', items: { $ref: '#/$defs/address' }, maxItems: 2 },
      class: { enum: ['first', 'second'] },
      people: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
      budget: { type: ['number', 'null'], description: 'In euros.' },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email' },
      flexible: { type: 'boolean' },
      extras: { type: 'array', items: { enum: ['wifi', 'meal'] } },
      pay: {
        oneOf: [
          { title: 'By card', properties: { card: { type: 'string' } }, required: ['card'] },
          { title: 'By bill', properties: { bill: { type: 'string' } }, required: ['bill'] },
        ],
      },
      anything: {},
    },
    required: ['from', 'class', 'people', 'budget', 'pay'],
  },
};
const endless = {
  name: 'endless',
  inputSchema: {
    type: 'object',
    properties: { left: { $ref: '#' }, right: { $ref: '#' } },
    required: ['left', 'right'],
  },
};

test('a tool is tried from the form of its schema, and becomes a block', async () => {
  using journal = new TemporaryJournal();
  const server = scriptedServerConfig(
    { tools: [plan, endless], journal: journal.path },
    { name: 'travel' },
  );
  await using opened = await openPage(
    { settings: { mcpServers: [server] } },
    { route: `/servers/${server.id}`, height: 2_000 },
  );
  const { page, complaints } = opened;
  await page.getByRole('searchbox', { name: 'Filter the tools' }).fill('journey');
  await page.getByRole('button', { name: 'Try plan' }).click();
  const form = page.getByRole('form', { name: 'Try plan' });
  await form.getByRole('button', { name: 'Run' }).click();
  await form.getByText('Choose one.').waitFor();
  expect(await form.getByRole('alert').allTextContents()).toHaveLength(3);
  expect(journal.read().filter(({ kind }) => kind === 'call')).toEqual([]);

  await form
    .getByRole('group', { name: 'from (required)' })
    .getByLabel('city (required)')
    .fill('Rome');
  await form.getByLabel('class').selectOption('second');
  await form.getByLabel('people').fill('12');
  await form.getByText('From 1 up to 9.').last().waitFor();
  await form.getByLabel('people').fill('3');
  await form.getByLabel('Kind of pay').selectOption('By bill');
  await form.getByLabel('bill').fill('Ada');
  await form.getByLabel('day').fill('2026-02-03');
  await form.getByLabel('mail').fill('nobody');
  await form.getByText('Not an e-mail address').waitFor();
  await form.getByLabel('mail').fill('ada@host.example');
  await form.getByLabel('flexible').selectOption('No');
  await form.getByLabel('meal').check();
  await form.getByRole('button', { name: 'Add stops' }).click();
  for (const [index, city] of ['Bonn', 'Oslo'].entries()) {
    await form.getByRole('button', { name: 'Add to stops' }).click();
    await form
      .getByLabel('city (required)')
      .nth(index + 1)
      .fill(city);
  }
  expect(await form.getByRole('button', { name: 'Add to stops' }).count()).toBe(0);
  await form.getByRole('button', { name: 'Remove stops 1' }).click();
  await form.getByLabel('anything').fill('{"a": [1]}');
  await opened.photograph('servers-tool-form');
  expect(await findAxeProblems(page)).toEqual([]);

  await form.getByRole('button', { name: 'As a block' }).click();
  const block = page.locator('.block-text pre');
  await block.waitFor();
  expect(await block.textContent()).toMatch(
    /^```travel\ntool: plan\n[\s\S]*stops:\n {2}- city: Oslo\n/,
  );
  await form.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Answered').waitFor();
  const call = journal.read().find(({ kind }) => kind === 'call');
  expect(call?.arguments).toEqual({
    from: { city: 'Rome' },
    stops: [{ city: 'Oslo' }],
    class: 'second',
    people: 3,
    budget: null,
    day: '2026-02-03',
    mail: 'ada@host.example',
    flexible: false,
    extras: ['meal'],
    pay: { bill: 'Ada' },
    anything: { a: [1] },
  });
  expect(complaints).toEqual([]);
});

test('what only the host checks is said at its field', async () => {
  const inputSchema = {
    type: 'object',
    properties: { bags: { type: 'integer', multipleOf: 5 }, city: { type: 'string' } },
  };
  const server = scriptedServerConfig({ tools: [{ name: 'plan', inputSchema }] });
  await using opened = await openPage(
    { settings: { mcpServers: [server] } },
    { route: `/servers/${server.id}` },
  );
  const { page } = opened;
  await page.getByRole('button', { name: 'Try plan' }).click();
  const form = page.getByRole('form', { name: 'Try plan' });
  await form.getByLabel('bags').fill('3');
  await form.getByRole('button', { name: 'Run' }).click();
  await form.getByRole('alert').filter({ hasText: 'bags' }).waitFor();
  expect(await form.getByLabel('bags').getAttribute('aria-invalid')).toBe('true');
  await form.getByLabel('bags').fill('5');
  await form.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Answered').waitFor();
});

test('a schema without end is drawn at once, and JSON does where a form does not', async () => {
  const server = scriptedServerConfig({ tools: [endless], badSchemas: true });
  await using opened = await openPage(
    { settings: { mcpServers: [server] } },
    { route: `/servers/${server.id}` },
  );
  const { page, complaints } = opened;
  await page.getByRole('button', { name: 'Try endless' }).click();
  const form = page.getByRole('form', { name: 'Try endless' });
  await form.getByRole('button', { name: 'Add left' }).first().waitFor();
  await form.getByRole('button', { name: 'Write as JSON' }).click();
  await form.getByLabel('Parameters').fill('3');
  await form.getByRole('button', { name: 'Run' }).click();
  await form.getByText('Parameters must be an object').waitFor();
  expect(await page.getByRole('button', { name: 'Try no-schema' }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
});

test('a running call counts its time, and cancelling it reaches the server', async () => {
  using journal = new TemporaryJournal();
  const server = scriptedServerConfig({ journal: journal.path });
  await using opened = await openPage(
    { settings: { mcpServers: [server] } },
    { route: `/servers/${server.id}` },
  );
  const { page } = opened;
  await page.getByRole('button', { name: 'Try wait' }).click();
  await page.getByRole('textbox', { name: 'file' }).fill(join(opened.workbench.folder, 'never'));
  await page.getByRole('form').getByRole('button', { name: 'Run' }).click();
  await page.getByText(/^Running … \d/).waitFor();
  await page.getByRole('form').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled. Changes the tool has already made remain.').waitFor();
  await expect.poll(() => journal.read().some(({ kind }) => kind === 'cancelled')).toBe(true);
});
