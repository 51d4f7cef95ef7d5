import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { hostileHtml as attacks, hostileMarkdown as markdown } from '../testing/hostile-text.ts';
import { openPage } from '../testing/open-page.ts';

const settings = { mcpServers: [scriptedServerConfig()] };

test('a hostile note with hostile answers runs no code and loads nothing from elsewhere', async () => {
  const live = `\`\`\`scripted as=markdown\ntool: echo\ntext: ${JSON.stringify(`${attacks}\n${markdown}`)}\n\`\`\`\n`;
  const callout = live.replace('as=markdown', 'as=callout');
  const plain = live.replace(' as=markdown', '');
  const files = {
    'n.md': `---\n"<img src=x onerror=harm=1>": <script>harm=1</script>\n---\n# Before\n\n${attacks}\n${markdown}\n\n- ${attacks.replaceAll('\n', '\n  ')}\n\n${live}\n${callout}\n${plain}\n# After\n`,
    'Name <img src=x onerror="window.harm=1">.md': '',
  };
  await using opened = await openPage({ files, settings });
  const { page, complaints } = opened;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('treeitem', { name: 'n', exact: true }).click();
  await page.getByRole('button', { name: 'Run all (3)' }).click();
  await expect.poll(() => page.getByText('Up to date').count(), { timeout: 15_000 }).toBe(3);
  await page.getByRole('heading', { name: 'After' }).scrollIntoViewIfNeeded();
  await page.getByText('Properties:').click();
  for (const link of await page.getByRole('article').getByRole('link').all()) {
    const address = (await link.getAttribute('href')) ?? '';
    expect(address).toMatch(/^(#\/notes|\/api\/file\?path=|https:)/);
    if (address.startsWith('https:')) expect(await link.getAttribute('target')).toBe('_blank');
  }
  for (const name of ['html link', 'markdown link', 'entity link', 'data link']) {
    for (const place of await page.getByText(name, { exact: true }).all()) await place.click();
  }
  await page.getByRole('button', { name: 'Source' }).click();
  await page.getByRole('textbox', { name: 'Source of n.md' }).waitFor();
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('heading', { name: 'Before' }).waitFor();
  await opened.photograph('notes-hostile');
  expect(await page.evaluate(() => 'harm' in window)).toBe(false);
  const origin = new URL(page.url()).origin;
  expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  expect(asked.filter((url) => url.includes('/api/servers/'))).toEqual([]);
  expect(
    await page.locator('article :is(script, iframe, form, style, svg:not(.icon))').count(),
  ).toBe(0);
  expect(await page.locator('article :is([style], [onerror], [onload], [ontoggle])').count()).toBe(
    0,
  );
  // The policy also reports what the purifier takes out, which it reads in a document that shows nothing.
  expect(complaints.filter((complaint) => !complaint.includes('Content Security Policy'))).toEqual(
    [],
  );
});
