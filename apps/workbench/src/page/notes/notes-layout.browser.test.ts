import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const settings = {
  mcpServers: [scriptedServerConfig(), scriptedServerConfig({}, { name: 'other' })],
};
const long =
  'A very long name of a note that does not fit into the tree at all, nor above its text';
const files = {
  [`${long}.md`]: 'Short.',
  'Folder/Sub/Deep note.md': 'Deep.',
  'picture.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="teal"/></svg>',
  'Welcome.md': `---
tags: [a, b]
mcp:
  sections:
    - heading: Closed
      server: other
---

# Welcome

Some **prose** with a [[Deep note]] and \`code\`. ![[picture.svg]]

\`\`\`scripted
tool: echo
text: hello there
\`\`\`

- a list
  \`\`\`scripted
  tool: structured
  \`\`\`

> a quote
> \`\`\`scripted
> tool: fail
> \`\`\`

## Closed

\`\`\`scripted
tool: echo
text: forbidden
\`\`\`

## Others

\`\`\`scripted
tool: large
bytes: 10000000
\`\`\`

\`\`\`scripted
tool: hang
\`\`\`
`,
};

test.for(['light', 'dark'] as const)(
  'a note in %s is in order for axe, wide and narrow',
  async (colorScheme) => {
    await using opened = await openPage({ files, settings }, { colorScheme });
    const { page, complaints, photograph } = opened;
    await page.getByRole('treeitem', { name: 'Welcome' }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    const card = (name: string) =>
      page.getByRole('region', { name: `Tool block: scripted ${name}` });
    await card('hang').getByText('Running').waitFor();
    await card('fail').getByText('Failed', { exact: true }).waitFor();
    await card('structured').getByText('Up to date').waitFor();
    await card('large')
      .getByRole('link', { name: /^Open all of it/ })
      .waitFor();
    for (const width of [1440, 768, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await photograph(`notes-${colorScheme}-${width}`);
      expect(await findAxeProblems(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    }
    await card('large').scrollIntoViewIfNeeded();
    await photograph(`notes-large-${colorScheme}-380`);
    await page.getByRole('button', { name: 'Source' }).click();
    await page.getByRole('textbox', { name: 'Source of Welcome.md' }).waitFor();
    for (const width of [1440, 768, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await photograph(`notes-source-${colorScheme}-${width}`);
      expect(await findAxeProblems(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    }
    await page.getByRole('link', { name: 'All notes' }).click();
    await page.getByRole('treeitem', { name: long }).waitFor();
    await photograph(`notes-tree-${colorScheme}-380`);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('treeitem', { name: long }).click();
    await page.getByText('Short.').waitFor();
    await photograph(`notes-long-name-${colorScheme}-380`);
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
  },
);

test('an empty vault says what to do, and a note that appears is shown at once', async () => {
  await using opened = await openPage();
  const { page, photograph, workbench } = opened;
  await page.getByRole('heading', { name: 'This vault has no notes yet' }).waitFor();
  await photograph('notes-empty');
  await page.setViewportSize({ width: 380, height: 700 });
  await page.getByRole('heading', { name: 'This vault has no notes yet' }).waitFor();
  await photograph('notes-empty-380');
  await workbench.writeNote('First.md', '# First\n');
  await page.getByRole('treeitem', { name: 'First' }).click();
  await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
});

/** How far the page scrolls to the side. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
