import { expect, test } from 'vitest';
import { assistantVault } from '../../api/testing/assistant-vault.ts';
import { hostileHtml, hostileMarkdown } from '../testing/hostile-text.ts';
import { openPage } from '../testing/open-page.ts';

test('hostile text of models and tools runs no code, also while it streams in', async () => {
  const text = `${hostileHtml}\n${hostileMarkdown}\nand \u202eturned around`;
  const held = Promise.withResolvers<void>();
  await using scripted = await assistantVault([
    {
      text: [...pieces(`Before.\n\n${text}\n\nHalf.\n\n`), 'More.'],
      calls: [{ name: 'scripted__echo', arguments: { text } }],
    },
    { text: [`${text}\n\nHeld.\n\n`, `${text}\n\nAfter.`], hold: held.promise },
  ]);
  await using opened = await openPage(scripted.vault, { route: '/assistant' });
  const { page, complaints } = opened;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('Your question').fill(text);
  await page.keyboard.press('Enter');
  await page.getByText('Held.').waitFor();
  const answers = page.locator('.turn-answer');
  const harmless = async () => {
    expect(await page.evaluate(() => 'harm' in window)).toBe(false);
    const acting = ':is(script, iframe, form, style, input, object, embed, svg:not(.icon))';
    expect(await answers.locator(acting).count()).toBe(0);
    const marked = ':is([style]:not(.icon), [onerror], [onload], [ontoggle], #main)';
    expect(await answers.locator(marked).count()).toBe(0);
  };
  await harmless();
  const turned = answers.getByText('and \\u202eturned around', { exact: true });
  expect(await turned.count()).toBeGreaterThan(0);
  expect(await answers.locator('img').count()).toBe(0);
  held.resolve();
  await page.getByText('After.').waitFor();
  await page.getByText(/tokens in/).waitFor();
  await page.locator('.call-result summary').first().click();
  await harmless();
  for (const name of ['html link', 'markdown link', 'entity link', 'data link']) {
    for (const place of await answers.getByText(name, { exact: true }).all()) await place.click();
  }
  await harmless();
  const links = await answers.getByRole('link').all();
  for (const link of links) expect(await link.getAttribute('href')).toMatch(/^(https:|#\/calls\/)/);
  const { origin } = new URL(page.url());
  expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  expect(asked.filter((url) => url.includes('/api/servers/'))).toEqual([]);
  await opened.photograph('assistant-hostile');
  expect(complaints.filter((complaint) => !complaint.includes('Content Security Policy'))).toEqual(
    [],
  );
});

/** As a model sends it: in the middle of tags and of words. */
function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,37}/g) ?? [];
}
