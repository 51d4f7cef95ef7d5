import { scriptedServerConfig } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const settings = { mcpServers: [scriptedServerConfig()] };

/** Each sets `window.harm`, loads something, or covers the page, if anything in it works. */
const attacks = `<script>window.harm = 'script'</script>
<img src="x" onerror="window.harm = 'onerror'">
<svg onload="window.harm = 'svg'"><script>window.harm = 'svg script'</script></svg>
<svg><foreignObject><iframe srcdoc="<script>parent.harm = 1</script>"></iframe></foreignObject></svg>
<math><mtext><style><img src=x onerror="window.harm = 'math'"></style></mtext></math>
<iframe src="javascript:parent.harm = 'iframe'"></iframe>
<object data="javascript:window.harm = 'object'"></object>
<form action="javascript:window.harm = 'form'"><button>press me</button></form>
<details open ontoggle="window.harm = 'toggle'"><summary>details</summary></details>
<style>body { display: none }</style>
<link rel="stylesheet" href="https://evil.example/x.css">
<p style="position: fixed; inset: 0; z-index: 99; background: url(https://evil.example/a.png)">covers</p>
<div class="dialog toast" id="place" title="tool">a class of ours</div>
<a href="javascript:window.harm = 'link'">html link</a>
<a href=" &#106;avascript:window.harm = 'entity'">entity link</a>
<a href="data:text/html,<script>window.harm = 1</script>">data link</a>
<table background="https://evil.example/b.png"><tr><td>cell</td></tr></table>
<img srcset="https://evil.example/c.png 1x" src="https://evil.example/d.png" alt="far away">
<video poster="https://evil.example/e.png" src="https://evil.example/f.mp4" autoplay></video>
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0; url=https://evil.example/">
<img src="/api/servers/x/tools?refresh=1" alt="our own api">
`;
const markdown = `
[markdown link](javascript:window.harm='markdown')
![picture](javascript:window.harm='picture')
![far](https://evil.example/g.png)
[reference][r]
<javascript:window.harm='autolink'>
[[<img src=x onerror="window.harm = 'wiki'">]]

[r]: javascript:window.harm='reference'
`;

test('a note and answers full of tricks do nothing, and the page asks nobody else for anything', async () => {
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
