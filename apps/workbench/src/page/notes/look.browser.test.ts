import { scriptedServerConfig } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const scripted = scriptedServerConfig();
const other = scriptedServerConfig({}, { name: 'other' });
const text = `---
tags: [a, b]
mcp:
  sections:
    - heading: Closed
      server: other
---

# Welcome

Some **prose** with a [[Notes about x]] link and \`code\`.

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

## Hanging

\`\`\`scripted
tool: hang
\`\`\`
`;

test('look', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await using opened = await openPage(
      { files: { 'Welcome.md': text, 'Folder/Sub/Deep note.md': 'x', ['A very long name of a note that does not fit into the tree at all '.repeat(2) + '.md']: 'y' }, settings: { mcpServers: [scripted, other] } },
      { colorScheme },
    );
    const { page, complaints } = opened;
    await page.getByRole('treeitem', { name: 'Welcome' }).click();
    await page.getByRole('heading', { name: 'Closed' }).waitFor();
    await opened.photograph(`notes-${colorScheme}-new`);
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByText('It did not work').waitFor();
    await page.getByRole('region', { name: 'scripted hang' }).getByText('Running').waitFor(); await page.getByRole('region', { name: 'structured' }).getByText('Up to date').waitFor();
    for (const width of [1440, 768, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await opened.photograph(`notes-${colorScheme}-${width}`);
    }
    await page.getByRole('button', { name: 'Source' }).click();
    await page.getByRole('textbox', { name: /Source of/ }).waitFor();
    for (const width of [1440, 768, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await opened.photograph(`notes-source-${colorScheme}-${width}`);
    }
    await page.getByRole('link', { name: 'All notes' }).click();
    await opened.photograph(`notes-tree-${colorScheme}-380`);
    expect(complaints).toEqual([]);
  }
});
