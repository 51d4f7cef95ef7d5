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

test('what a person types can be copied when somebody else sends or rejects the draft meanwhile', async () => {
  const plan = planDraft();
  await using opened = await openPage({ openServices: plan.open }, { route });
  const { page } = opened;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const late = page.getByRole('region', { name: 'What you typed' });
  const finish = (state: 'sent' | 'rejected') => {
    const done = { ...plan.item, folder: 'Done', state, path: 'Done/d1.md' } as const;
    plan.items = [done];
    plan.details = { d1: { draft: draftOf(done, 's2', 'The text.') } };
    plan.changed();
  };
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text').fill('My longer text.');
  finish('sent');
  await late.getByText('it is in Done now').waitFor();
  expect(await late.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await late.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^To: .*\nCc: cleo@example.org\nBcc: boss@example.org\nSubject: d1\n\nMy longer text\.$/,
  );
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('mail-typed-too-late');
  finish('rejected');
  await page.getByRole('link', { name: 'Board' }).click();
  await page.getByRole('link', { name: 'd1' }).click();
  await late.getByText('My longer text.').waitFor();
  await late.getByRole('button', { name: 'Close' }).click();
  await late.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Reply');
});

test('an answer to the model is kept while another mail is read, and when the mail is closed meanwhile', async () => {
  const asking = mailItem('m1', 'mail', 'Needs_Action', 'needs-info', { question: 'When?' });
  const plan = planMailroom([asking, mailItem('m2', 'mail', 'Needs_Action', 'needs-info')]);
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail/m1' });
  const { page } = opened;
  await page.getByLabel('What the model should know').fill('On Friday.');
  await page.getByRole('link', { name: /m2/ }).click();
  await page.locator('a[aria-current]', { hasText: 'm2' }).waitFor();
  expect(await page.getByLabel('What the model should know').inputValue()).toBe('');
  await page.getByRole('link', { name: /m1/ }).click();
  await page.getByText('When?').first().waitFor();
  expect(await page.getByLabel('What the model should know').inputValue()).toBe('On Friday.');
  plan.items = [{ ...asking, folder: 'Done', state: 'done', path: 'Done/m1.md' }];
  plan.changed();
  const late = page.getByRole('region', { name: 'What you typed' });
  await late.getByText('On Friday.').waitFor();
  await late.getByRole('button', { name: 'Close' }).click();
  await late.waitFor({ state: 'detached' });
});

test('the browser asks before it drops text that is not saved', async () => {
  const plan = planDraft();
  await using opened = await openPage({ openServices: plan.open }, { route });
  const { page } = opened;
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text').pressSequentially('My text. ');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  expect(asked).toEqual(['beforeunload']);
});
