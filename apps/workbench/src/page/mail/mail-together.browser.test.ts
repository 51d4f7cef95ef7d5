import { expect, test } from 'vitest';
import {
  mailItem,
  type PlannedMailroom,
  planMailroom,
} from '../../api/testing/planned-mailroom.ts';
import type { MailDetails, MailItem } from '../../contract.ts';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const route = '/mail/d1';

function draftOf(item: MailItem, seen: string, body: string): NonNullable<MailDetails['draft']> {
  const leaves = {
    to: item.who,
    cc: 'cleo@example.org',
    bcc: 'boss@example.org',
    subject: item.subject,
    body,
  };
  return { item, seen, mistakes: [], leaves, written: leaves };
}

/** A mailroom with one draft, which stores what is saved. */
function planDraft(): PlannedMailroom & { readonly item: MailItem } {
  const item = mailItem('d1', 'draft', 'Drafts', 'waiting');
  const plan = planMailroom([item]);
  let version = 1;
  plan.details = { d1: { draft: draftOf(item, 's1', 'The text.') } };
  plan.answers.edit = ({ body }) => {
    version += 1;
    plan.details = { d1: { draft: draftOf(item, `s${version}`, String(body)) } };
    plan.changed();
    return { item };
  };
  return Object.assign(plan, { item });
}

const editsOf = ({ asked }: PlannedMailroom) =>
  asked.filter(({ method }) => method === 'edit').map(({ params }) => params);

test('a key saves nothing over a version that somebody else stored meanwhile', async () => {
  const plan = planDraft();
  await using opened = await openPage({ openServices: plan.open }, { route });
  const { page } = opened;
  const other = await opened.anotherTab();
  const theirs = { id: 'd1', seen: 's1', body: 'Their text.' };
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text').fill('My text.');
  await other.getByRole('button', { name: 'Edit' }).click();
  await other.getByLabel('Text').fill('Their text.');
  await other.keyboard.press('Control+Enter');
  await other.getByRole('button', { name: 'Edit' }).waitFor();

  await page.getByText('Somebody changed this draft meanwhile.').waitFor();
  await page.getByText('Their version').click();
  const version = page.locator('details', { hasText: 'Their version' });
  expect((await version.locator('dd').allTextContents()).slice(1)).toEqual([
    'cleo@example.org',
    'boss@example.org',
    'd1',
  ]);
  expect(await version.locator('pre').textContent()).toBe('Their text.');
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('mail-conflict');
  await page.getByLabel('Text').focus();
  await page.keyboard.press('Control+Enter');
  await page.getByLabel('Subject').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(() => editsOf(plan))
    .toEqual([theirs, { id: 'd1', seen: 's2', body: 'My text.' }]);
  await other.getByText('My text.').waitFor();
});
