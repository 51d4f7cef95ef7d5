import { HostError } from '@errand/host';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  mailItem,
  type PlannedMailroom,
  planMailroom,
} from '../../api/testing/planned-mailroom.ts';
import type { MailDetails, MailItem } from '../../contract.ts';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { hostileHtml } from '../testing/hostile-text.ts';
import { openPage } from '../testing/open-page.ts';

const route = '/mail';
const overflow =
  '[document.documentElement, document.querySelector("#main")].some((each) => each.scrollWidth > each.clientWidth)';

function draftOf(
  item: MailItem,
  seen = 's1',
  body = 'The text.',
): NonNullable<MailDetails['draft']> {
  const { who: to, subject } = item;
  const leaves = { to, subject, body };
  return { item, seen, mistakes: [], leaves, written: leaves };
}

/** The banner of the mailroom's state. */
async function showState(plan: PlannedMailroom, page: Page, state: PlannedMailroom['state']) {
  plan.state = state;
  plan.changed();
  await page.locator('.mail-banner').waitFor();
  return page.locator('.mail-banner');
}

test('what keeps mail from being fetched or sent is said, with what a person can do', async () => {
  const plan = planMailroom([mailItem('d1', 'draft', 'Drafts', 'waiting')]);
  plan.details = { d1: { draft: draftOf(mailItem('d1', 'draft', 'Drafts', 'waiting')) } };
  await using opened = await openPage({ openServices: plan.open }, { route });
  const { page, complaints } = opened;
  await page.getByRole('heading', { name: 'Drafts 1' }).waitFor();
  const shown = async (state: PlannedMailroom['state'], words: string | RegExp) => {
    const banner = await showState(plan, page, state);
    await banner.getByText(words).waitFor();
    return banner;
  };
  await shown({ state: 'off' }, 'No mailbox is set up');
  await shown({ state: 'unreachable', problem: 'connect ECONNREFUSED' }, /ECONNREFUSED/);
  await shown({ state: 'login-lost' }, 'errand mail login');
  await opened.photograph('mail-login-lost');

  const first = await shown({ state: 'first-start', unread: 10_000 }, /10,000 unread mails/);
  await first.getByRole('button', { name: 'Unread of the last 7 days' }).click();
  await expect
    .poll(() => plan.asked.find(({ method }) => method === 'begin')?.params)
    .toEqual({
      take: { days: 7 },
    });

  const elsewhere = await shown({ state: 'elsewhere', machine: 'desk' }, 'desk looks after this');
  await elsewhere.getByRole('button', { name: 'Take over …' }).click();
  await page.getByRole('dialog').getByText('both could send').waitFor();
  await opened.photograph('mail-take-over');
  expect(plan.asked.some(({ method }) => method === 'take-over')).toBe(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Take over', exact: true }).click();
  await expect.poll(() => plan.asked.some(({ method }) => method === 'take-over')).toBe(true);

  await shown({ state: 'paused' }, 'The mailroom is paused.');
  await page.getByRole('button', { name: 'Approve d1' }).click();
  await page.getByRole('dialog').getByText('it leaves after Resume').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => plan.asked.some(({ method }) => method === 'resume')).toBe(true);
  expect(complaints).toEqual([]);
});

test('a mail that may have been sent is sent again only after a warning, and an expired draft says so', async () => {
  const unclear = mailItem('u1', 'draft', 'Approved', 'unclear', { subject: 'Re: Beams' });
  const expired = mailItem('e1', 'draft', 'Drafts', 'expired', { subject: 'Re: Old' });
  const plan = planMailroom([unclear, expired]);
  plan.details = {
    u1: { draft: draftOf(unclear) },
    e1: { draft: { ...draftOf(expired), approval: 'expired' } },
  };
  await using opened = await openPage({ openServices: plan.open }, { route });
  const { page } = opened;
  const settled = () => plan.asked.filter(({ method }) => method === 'settle');
  await page.getByRole('link', { name: 'Re: Beams' }).click();
  await page.getByText('it cannot be told whether it left').waitFor();
  expect(await page.getByRole('button', { name: /^(Approve|Edit|Withdraw|Reject)/ }).count()).toBe(
    0,
  );
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('mail-unclear');
  await page.getByRole('button', { name: 'Send it …' }).click();
  await page.getByRole('dialog').getByText('gets it twice').waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  expect(settled()).toEqual([]);
  await page.getByRole('button', { name: 'It was sent' }).click();
  await expect.poll(() => settled()[0]?.params).toEqual({ id: 'u1', outcome: 'was-sent' });
  await page.getByRole('button', { name: 'Send it …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send it', exact: true }).click();
  await expect.poll(() => settled()[1]?.params).toEqual({ id: 'u1', outcome: 'send' });

  await page.getByRole('link', { name: /Re: Old/ }).click();
  await page.getByRole('button', { name: 'Approve …' }).click();
  await page.getByRole('dialog').getByText('It has waited too long.').waitFor();
});

test('a draft that waited too long asks twice, and one that cannot be sent shows what was written', async () => {
  const old = mailItem('d1', 'draft', 'Drafts', 'expired', { subject: 'Re: Old' });
  const bad = mailItem('d2', 'draft', 'Drafts', 'waiting', {
    subject: 'Re: Bad',
    who: 'bob at home',
  });
  const plan = planMailroom([old, bad]);
  plan.details = {
    d1: { draft: { ...draftOf(old), approval: 'expired' } },
    d2: {
      draft: {
        item: bad,
        seen: 's1',
        mistakes: [{ field: 'to', code: 'invalid', text: 'bob at home' }],
        written: { to: 'bob at home', bcc: 'boss@example.org', body: 'My own words.' },
      },
    },
  };
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail/d1' });
  const { page } = opened;
  const approvals = () =>
    plan.asked.filter(({ method }) => method === 'approve').map(({ params }) => params);
  await page.getByText('The text.').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve and send' }).click();
  await dialog.getByText('so it asks again').waitFor();
  expect(approvals()).toEqual([]);
  await opened.photograph('mail-expired-asks-again');
  await dialog.getByRole('button', { name: 'Send it all the same' }).click();
  await expect.poll(approvals).toEqual([{ id: 'd1', seen: 's1', evenExpired: true }]);

  await page
    .getByRole('link', { name: /Re: Bad/ })
    .first()
    .click();
  await page.getByText('My own words.').waitFor();
  await page.getByText('"to" is no valid address: bob at home').waitFor();
  await opened.photograph('mail-cannot-be-sent');
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByLabel('Bcc').inputValue()).toBe('boss@example.org');
  await page.getByLabel('To').fill('bob@example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => plan.asked.find(({ method }) => method === 'edit')?.params)
    .toEqual({ id: 'd2', seen: 's1', to: 'bob@example.org' });
});

test('of two people, nobody approves or overwrites what they did not see', async () => {
  const item = mailItem('d1', 'draft', 'Drafts', 'waiting', { subject: 'Re: Beams' });
  const plan = planMailroom([item]);
  const store = (seen: string, body: string) => {
    plan.details = { d1: { draft: draftOf(item, seen, body) } };
    plan.changed();
  };
  store('s1', 'I will come on Thursday.');
  await using opened = await openPage({ openServices: plan.open }, { route: '/mail/d1' });
  const { page } = opened;
  await page.getByText('I will come on Thursday.').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve and send' }).waitFor();
  store('s2', 'I will come on Friday.');
  await dialog.getByText('Somebody changed this draft').waitFor();
  await dialog.getByText('I will come on Thursday.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Approve and send' }).count()).toBe(0);
  await opened.photograph('mail-changed-meanwhile');
  await dialog.getByRole('button', { name: 'Show the new version' }).click();
  await dialog.getByText('I will come on Friday.').waitFor();
  plan.answers.approve = () => {
    throw new HostError('note_changed', 'The draft is another than the one you saw.');
  };
  await page.keyboard.press('Enter');
  await dialog.getByText('The draft is another than the one you saw.').waitFor();
  await page.keyboard.press('Escape');
  expect(
    plan.asked.filter(({ method }) => method === 'approve').map(({ params }) => params),
  ).toEqual([{ id: 'd1', seen: 's2' }]);

  await page.keyboard.press('e');
  await page.getByLabel('Text').fill('My own words.');
  store('s3', 'Their words.');
  await page.getByText('Somebody changed this draft meanwhile.').waitFor();
  expect(await page.getByLabel('Text').inputValue()).toBe('My own words.');
  await page.getByRole('link', { name: 'Board' }).click();
  await page.getByRole('link', { name: 'Re: Beams' }).click();
  await page.getByText('Unsaved changes').waitFor();
  await page.keyboard.press('a');
  await dialog.getByText('You have changed this draft and not saved it.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Approve and send' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(() => plan.asked.find(({ method }) => method === 'edit')?.params)
    .toEqual({
      id: 'd1',
      seen: 's3',
      body: 'My own words.',
    });
});

test('hostile mail is text on the board, in the reader and in what leaves, also on a narrow screen', async () => {
  const nasty = { subject: `${hostileHtml} \u202e ../../${'🎉'.repeat(3_000)}`, who: hostileHtml };
  const mail = mailItem('m1', 'mail', 'Needs_Action', 'answered', { ...nasty, relatedId: 'd1' });
  const draft = mailItem('d1', 'draft', 'Drafts', 'waiting', {
    ...nasty,
    relatedId: 'm1',
    date: 'never',
  });
  const broken = mailItem('m2', 'mail', 'Needs_Action', 'unreadable', { problem: hostileHtml });
  const asking = mailItem('m3', 'mail', 'Needs_Action', 'needs-info', { question: hostileHtml });
  const plan = planMailroom([mail, draft, broken, asking]);
  const received = {
    item: mail,
    from: hostileHtml,
    to: hostileHtml,
    subject: nasty.subject,
    date: 'x',
    body: hostileHtml,
    attachments: [hostileHtml],
    redactions: [],
  };
  plan.details = {
    d1: { draft: draftOf(draft, 's1', `${hostileHtml}\u202e`), mail: received, notes: hostileHtml },
  };
  plan.answers.why = () => ({
    item: mail,
    reasoning: hostileHtml,
    decidedBy: hostileHtml,
    rules: [],
    redactions: [],
    isCut: false,
    history: [{ timestamp: hostileHtml, event: hostileHtml, severity: 'INFO', text: hostileHtml }],
  });
  const size = { width: 380, height: 800, colorScheme: 'dark' } as const;
  await using opened = await openPage({ openServices: plan.open }, { route, ...size });
  const { page, complaints } = opened;
  await page.getByText('<script>').first().waitFor();
  expect(await page.evaluate(overflow)).toBe(false);
  await opened.photograph('mail-hostile-narrow-dark');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Reply' }).waitFor();
  await page.keyboard.press('w');
  await page.getByText('What happened').waitFor();
  expect(await page.evaluate(overflow)).toBe(false);
  expect(await findAxeProblems(page)).toEqual([]);
  await page.keyboard.press('a');
  await page.getByRole('dialog').getByText('\\u202e').first().waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('mail-hostile-leaves-narrow-dark');
  expect(await page.evaluate('window.harm')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a draft is dragged to Approved, an approved one back, and nothing where it does not belong', async () => {
  const draft = mailItem('d1', 'draft', 'Drafts', 'waiting', { subject: 'Re: Beams' });
  const approved = mailItem('d2', 'draft', 'Approved', 'approved', { subject: 'Re: Gate' });
  const plan = planMailroom([draft, approved]);
  plan.details = { d1: { draft: draftOf(draft) }, d2: { draft: draftOf(approved) } };
  await using opened = await openPage({ openServices: plan.open }, { route });
  const { page } = opened;
  const column = (name: string) => page.getByRole('region', { name });
  const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const did = (method: string) => plan.asked.filter((each) => each.method === method);
  await card('Beams').dragTo(column('Needs action'));
  await card('Beams').dragTo(column('Approved'));
  await page.getByRole('dialog').getByText('The text.').waitFor();
  expect(did('approve')).toEqual([]);
  await page.getByRole('button', { name: 'Approve and send' }).click();
  await expect.poll(() => did('approve')).toHaveLength(1);
  await card('Gate').dragTo(column('Drafts'));
  await expect
    .poll(() => did('edit').map(({ params }) => params))
    .toEqual([{ id: 'd2', seen: 's1' }]);
  await card('Beams').dragTo(column('Done'));
  await page.getByRole('dialog').getByText('never sent').waitFor();
});
