import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const settings = {
  mcpServers: [scriptedServerConfig(), scriptedServerConfig({}, { name: 'other' })],
};

test('the focus stays on a card in a list when the notes of the vault change', async () => {
  const text = '---\nmcp: [a\n---\n- item [[z]]\n\n  ```scripted\n  tool: hang\n  ```\n';
  const files = { 'n.md': text.replace('mcp: [a', 'a: 1'), 'm.md': text };
  await using opened = await openPage({ files, settings }, { route: '/notes/n.md' });
  const { page, workbench } = opened;
  await page.getByRole('button', { name: 'Run scripted hang' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel scripted hang' }).waitFor();
  await workbench.writeNote('z.md', 'x');
  await page.getByRole('link', { name: 'z', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Stopped').waitFor();
  // A mistake in the properties is told once beside the text, and at the card that it stops.
  await page.getByRole('treeitem', { name: 'm', exact: true }).click();
  await page.getByRole('region', { name: /Tool block/ }).waitFor();
  await expect.poll(() => page.getByText(/This is not YAML/).count()).toBe(2);
});

test('the whole way works by keyboard alone', async () => {
  const text = '# N\n\n```scripted\ntool: echo\ntext: hello\n```\n';
  await using opened = await openPage({ files: { 'Folder/n.md': text, 'z.md': '' }, settings });
  const { page, workbench } = opened;
  await page.getByRole('tree').waitFor();

  await tabTo(page, 'Search notes');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('treeitem', { name: 'Folder', expanded: false }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('treeitem', { name: 'n', exact: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'N', exact: true }).waitFor();

  await tabTo(page, 'Run scripted echo');
  await page.keyboard.press('Enter');
  await page.getByText('Up to date').waitFor();

  const answered = await workbench.readNote('Folder/n.md');
  await workbench.writeNote('Folder/n.md', answered.replace(/(mcp-result.*\n)hello/, '$1mine'));
  await page.getByText('Edited by hand').waitFor();
  await tabTo(page, 'Run again scripted echo');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Replace it');
  await page.keyboard.press('Enter');
  await page.getByText('Up to date').waitFor();

  await tabTo(page, 'Server of # N');
  await page.keyboard.press('o');
  await page.getByText('Not allowed here').waitFor();
  expect(await focused(page)).toBe('Server of # N');

  await tabTo(page, 'Source', true);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Source of Folder/n.md' }).waitFor();
  await expect.poll(() => focused(page)).toBe('Source of Folder/n.md');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('The end.');
  await page.keyboard.press('Control+s');
  await expect.poll(() => workbench.readNote('Folder/n.md')).toMatch(/The end\.$/);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Run block at cursor');

  await tabTo(page, 'Search notes', true);
  await page.keyboard.type('end');
  await page.getByRole('list', { name: 'Notes by text' }).getByRole('link').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('The end.').first().waitFor();
});

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: string, isBack = false): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(isBack ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`"${name}" is not reached by Tab.`);
}

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const name = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    return name.replace(/\s+/g, ' ').trim();
  });
}
