import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { mailItem, planMailroom } from '../../api/testing/planned-mailroom.ts';
import { openPage } from '../testing/open-page.ts';

test.each([
  ['board', '/mail', '**/api/mail?*'],
  ['mail that is open', '/mail/d1', '**/api/mail/item?*'],
])(
  'the %s is asked for once at a time, however much happens meanwhile, and each answer is shown',
  async (_, route, address) => {
    const item = mailItem('d1', 'draft', 'Drafts', 'waiting');
    const plan = planMailroom([item]);
    const draft = (body: string) => {
      const leaves = { to: item.who, subject: 'Beams', body };
      plan.details = { d1: { draft: { item, seen: body, mistakes: [], leaves, written: leaves } } };
    };
    draft('First.');
    await using opened = await openPage({ openServices: plan.open }, { route });
    const { page } = opened;
    await page.getByText(route === '/mail' ? 'Waits for approval' : 'First.').waitFor();
    const held: Route[] = [];
    await page.route(address, (each) => void held.push(each));
    for (const waiting of [3, 4, 5]) {
      plan.state = { counts: { waiting, leaving: 0, wrong: 0 } };
      draft(`Text ${waiting}.`);
      plan.changed();
      // The page has heard of it.
      await page.getByRole('link', { name: `${waiting} wait for you` }).waitFor();
    }
    expect(held).toHaveLength(1);
    await held[0]?.continue();
    const shown = route === '/mail' ? page.locator('.mail-counts') : page.locator('.mail-draft');
    await shown.getByText(route === '/mail' ? '5' : 'Text 5.').waitFor();
    // Once more, for what happened after the question.
    await expect.poll(() => held.length).toBe(2);
    await held[1]?.continue();
    expect(held).toHaveLength(2);
  },
);
