import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../../testing/open-page.ts';

const settings = { mcpServers: [scriptedServerConfig()] };
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"><rect width="12" height="6"/></svg>';

test('answers are shown by their type, live only where that was asked for, folded where it was', async () => {
  const text = [
    '```scripted\ntool: picture\n```\n\n```mcp-result type=image\nAttachments/a.svg\n```\n',
    '```scripted\ntool: source\n```\n\n```mcp-result type=markdown\n**not live**\n```\n',
    '```scripted as=markdown\ntool: live\n```\n\n<!-- mcp-result req=1 sum=2 -->\n**bold** [[Other]]\n<!-- /mcp-result -->\n',
    '> ```scripted as=callout\n> tool: callout\n> ```\n>\n> > [!mcp]- scripted: callout <!-- mcp-result req=1 sum=2 -->\n> > *slanted*\n> <!-- /mcp-result -->\n>\n> the quote goes on\n',
    '```scripted display=collapsed\ntool: folded\n```\n\n```mcp-result type=json\n{"a": [1, {"b": null}]}\n```\n',
    '```scripted\ntool: cut\n```\n\n```mcp-result type=json\n{"rows":[0,1,\n… all of it (1 line, 9000 bytes): Attachments/all.json\n```\n',
  ].join('\n');
  const files = {
    'Folder/n.md': text,
    'Other.md': 'Here.',
    'Attachments/a.svg': svg,
    'Attachments/all.json': '{"rows":[0,1,2]}',
  };
  await using opened = await openPage({ files, settings }, { route: '/notes/Folder/n.md' });
  const { page, complaints } = opened;
  const picture = blockOf(page, 'picture').getByRole('img');
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(12);
  await blockOf(page, 'source').getByText('**not live**').waitFor();
  expect(
    await blockOf(page, 'live')
      .locator('strong', { hasText: /^bold$/ })
      .count(),
  ).toBe(1);
  expect(await blockOf(page, 'callout').locator('em').textContent()).toBe('slanted');
  expect(await page.locator('blockquote').getByText('the quote goes on').count()).toBe(1);
  expect(await page.getByText('[!mcp]').count()).toBe(0);
  const folded = blockOf(page, 'folded');
  expect(await folded.getByText('2 items').isVisible()).toBe(false);
  await folded.getByText('Answer').click();
  await folded.getByText('2 items').waitFor();
  // JSON that is too large for the note is still a tree.
  await blockOf(page, 'cut').getByText('3 items').waitFor();
  await opened.photograph('notes-results');
  await blockOf(page, 'live').getByRole('link', { name: 'Other' }).click();
  await page.getByText('Here.').waitFor();
  expect(complaints).toEqual([]);
});

function blockOf(page: Page, tool: string) {
  return page.getByRole('region', { name: `Tool block: scripted ${tool}` });
}
