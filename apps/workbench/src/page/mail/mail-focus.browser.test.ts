import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  mailItem,
  type PlannedMailroom,
  planMailroom,
} from '../../api/testing/planned-mailroom.ts';
import type { MailDetails, MailItem } from '../../contract.ts';
import { openPage } from '../testing/open-page.ts';

/** Two drafts; what is approved or rejected leaves the board's Drafts, and what is saved is stored. */
function planDrafts(): PlannedMailroom {
  const items = ['d1', 'd2'].map((id) => mailItem(id, 'draft', 'Drafts', 'waiting'));
  const plan = planMailroom(items);
  plan.details = Object.fromEntries(items.map((item) => [item.id, { draft: draftOf(item) }]));
  const move = (state: MailItem['state']) => (params: object) => {
    const { id } = params as { id: string };
    plan.items = plan.items.map((item) =>
      item.id === id ? { ...item, folder: 'Done', state, path: `Done/${id}.md` } : item,
    );
    plan.changed();
    return { item: plan.items[0] };
  };
  plan.answers = { approve: move('sent'), reject: move('rejected') };
  return plan;
}

function draftOf(item: MailItem): NonNullable<MailDetails['draft']> {
  const leaves = { to: item.who, subject: `About ${item.id}`, body: 'The text.' };
  return { item, seen: 's1', mistakes: [], leaves, written: leaves };
}

/** The label or the text of what has the focus. */
const focused = (page: Page) =>
  page.evaluate(
    '(({ activeElement: e }) => e.tagName + ": " + (e.ariaLabel ?? e.textContent.trim()))(document)',
  );

test('the focus comes back to the button that opened a dialog, and goes to the heading when that is gone', async () => {
  const plan = planDrafts();
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail' });
  const { page } = opened;
  const dialog = page.getByRole('dialog');
  for (const name of ['Approve d1', 'Reject d1']) {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: /^(Approve and send|Reject)$/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(`BUTTON: ${name}`);
  }
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Reason').fill('No.');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Drafts 1' }).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^H[12]: (Mail|Drafts 1)$/);
});

test('the focus stays near a card that somebody else moves', async () => {
  const plan = planDrafts();
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail' });
  const { page } = opened;
  await page.getByRole('button', { name: 'Approve d1' }).focus();
  plan.answers.reject?.({ id: 'd1' });
  await page.getByRole('heading', { name: 'Drafts 1' }).waitFor();
  await expect.poll(() => focused(page)).toBe('H2: Drafts 1');
});

test('the heading of each mail that is opened has the focus, and that of its reply after an edit', async () => {
  const plan = planDrafts();
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail' });
  const { page } = opened;
  await page.getByRole('link', { name: 'd1' }).waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('H2: Reply');
  await page.keyboard.press('j');
  await page.getByText('About d2').waitFor();
  await expect.poll(() => focused(page)).toBe('H2: Reply');
  await page.keyboard.press('e');
  await page.getByLabel('Text').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await expect.poll(() => focused(page)).toBe('H2: Reply');
  await page.keyboard.press('u');
  await expect.poll(() => focused(page)).toBe('H1: Mail');
});

test('the focus goes to the heading once somebody has said which mail to take', async () => {
  const plan = planDrafts();
  plan.state = { state: 'first-start', unread: 9 };
  plan.answers.begin = () => {
    plan.state = {};
    plan.changed();
    return { board: {} };
  };
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail' });
  const { page } = opened;
  // What is approved before that is not sent: it has to be approved again.
  await page.getByRole('button', { name: 'Approve d1' }).click();
  await page.getByRole('dialog').getByText('After that, this draft asks again.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Unread of the last day' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Which mail should become notes?').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('H1: Mail');
});

test('a mail that cannot be asked for is not said to be gone', async () => {
  const plan = planDrafts();
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail' });
  const { page } = opened;
  await page.getByRole('link', { name: 'd1' }).waitFor();
  await page.route('**/api/mail/item*', (route) => route.abort());
  await page.keyboard.press('j');
  await page.getByText('Errand does not answer.').waitFor();
  expect(await page.getByText('not here any more').count()).toBe(0);
  await page.unroute('**/api/mail/item*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The text.').waitFor();
  await page.goto(page.url().replace(/d1$/, 'd9'));
  await page.getByText('This mail is not here any more').waitFor();
});
