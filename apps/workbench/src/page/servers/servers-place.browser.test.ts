import { scriptedServerConfig } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

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
  await using opened = await openPage({ settings: { mcpServers: [server] } }, { route: '/servers' });
  const { page, complaints } = opened;
  await page.getByRole('button', { name: 'Try weather now' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await opened.photograph('servers-connected');
  await page.getByRole('link', { name: 'weather' }).click();
  await page.getByRole('heading', { level: 1, name: 'weather' }).waitFor();
  await page.getByRole('button', { name: 'Try echo' }).click();
  await page.getByLabel('text').fill('Hello');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Answered').waitFor();
  await opened.photograph('servers-tool');
  expect(await findAxeProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
