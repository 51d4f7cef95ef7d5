import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../../testing/open-page.ts';

const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const route = '/notes/n.md?view=source';
const echo = (text: string) => `\`\`\`scripted\ntool: echo\ntext: ${text}\n\`\`\`\n`;

test('saves what is typed, and keeps the line ends of the file', async () => {
  await using opened = await openPage({ files: { 'n.md': 'one\r\ntwo\nthree\r\n' } }, { route });
  const { page, workbench, complaints } = opened;
  await typeAtEnd(page, 'four');
  await page.getByText('Unsaved text').waitFor();
  expect(await workbench.readNote('n.md')).toBe('one\r\ntwo\nthree\r\n');
  await page.keyboard.press('Control+s');
  await gone(page, 'Unsaved text');
  expect(await workbench.readNote('n.md')).toBe('one\r\ntwo\nthree\r\nfour');
  expect(complaints).toEqual([]);
});

test('unsaved text survives another view, another page, another note, and a reload', async () => {
  await using opened = await openPage({ files: { 'n.md': 'old\n', 'm.md': 'M' } }, { route });
  const { page, workbench } = opened;
  await typeAtEnd(page, 'typed');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByText('Unsaved text').waitFor();
  await page.getByRole('button', { name: 'Source' }).click();
  await page.getByText('typed').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.goBack();
  await page.getByText('typed').waitFor();
  await page.getByRole('treeitem', { name: 'm' }).click();
  await page.getByRole('article').getByText('M').waitFor();
  await page.goBack();
  await page.getByText('typed').waitFor();
  await page.reload();
  await page.getByText('typed').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await gone(page, 'Unsaved text');
  expect(await workbench.readNote('n.md')).toBe('old\ntyped');
  await typeAtEnd(page, ' more');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard mine' }).click();
  await gone(page, 'Unsaved text');
  expect(await editor(page).textContent()).not.toContain('more');
});

test('follows the file at once while nothing is unsaved, and keeps the cursor', async () => {
  await using opened = await openPage({ files: { 'n.md': 'one\ntwo\nthree\n' } }, { route });
  const { page, workbench } = opened;
  await editor(page).getByText('two').click();
  await page.keyboard.press('End');
  await workbench.writeNote('n.md', 'zero\none\ntwo\nthree\n');
  await editor(page).getByText('zero').waitFor();
  expect(await page.getByText('Unsaved text').count()).toBe(0);
  await page.keyboard.type('!');
  await page.keyboard.press('Control+s');
  await expect.poll(() => workbench.readNote('n.md')).toBe('zero\none\ntwo!\nthree\n');
});

test('another program edits the note while text is unsaved: both survive, and the person chooses', async () => {
  await using opened = await openPage({ files: { 'n.md': 'first\n' } }, { route });
  const { page, workbench } = opened;
  const part = async (theirs: string) => {
    await typeAtEnd(page, 'mine');
    await workbench.writeNote('n.md', theirs);
    await page.getByText('This note was changed by another program.').waitFor();
    expect(await editor(page).textContent()).toContain('mine');
    expect(await workbench.readNote('n.md')).toBe(theirs);
  };
  await part('first\ntheirs\n');
  await opened.photograph('notes-conflict');
  await page.getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog');
  await opened.photograph('notes-compare');
  expect(await dialog.getByRole('textbox', { name: 'Mine, unsaved' }).inputValue()).toBe('mine');
  expect(await dialog.getByRole('textbox', { name: 'The file on disk' }).inputValue()).toBe(
    'theirs\n',
  );
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await page.reload();
  await page.getByText('This note was changed by another program.').waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click();
  await gone(page, 'Unsaved text');
  expect(await workbench.readNote('n.md')).toBe('first\nmine');

  await part('theirs again\n');
  await page.getByRole('button', { name: 'Use the file on disk' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use the file' }).click();
  await gone(page, 'Unsaved text');
  await editor(page).getByText('theirs again').waitFor();
  expect(await workbench.readNote('n.md')).toBe('theirs again\n');
});

test('a note that another tab saved while text is unsaved says so', async () => {
  await using opened = await openPage({ files: { 'n.md': 'first\n' } }, { route });
  const { page } = opened;
  const tab = await opened.anotherTab();
  await editor(tab).waitFor();
  await typeAtEnd(page, 'mine');
  await typeAtEnd(tab, 'another');
  await tab.keyboard.press('Control+s');
  await page.getByText('This note was changed in another tab.').waitFor();
  expect(await editor(page).textContent()).toContain('mine');
});

test('undo goes on after a look at the rendered note, also when the file changed meanwhile', async () => {
  await using opened = await openPage({ files: { 'n.md': 'first\n' } }, { route });
  const { page, workbench } = opened;
  await typeAtEnd(page, 'mine');
  await page.keyboard.press('Control+s');
  await gone(page, 'Unsaved text');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByText('mine').waitFor();
  await workbench.writeNote('n.md', 'above\nfirst\nmine');
  await page.getByText('above').waitFor();
  await page.getByRole('button', { name: 'Source', exact: true }).click();
  await editor(page).waitFor();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+s');
  await expect.poll(() => workbench.readNote('n.md')).toBe('above\nfirst\n');
});

test('unsaved text outlives its note, also over a reload, and makes the file again', async () => {
  await using opened = await openPage({ files: { 'n.md': 'first\n' } }, { route });
  const { page, workbench } = opened;
  await typeAtEnd(page, 'mine');
  rmSync(join(workbench.folder, 'n.md'));
  await page.getByText('This note can no longer be read.').waitFor();
  expect(await editor(page).textContent()).toContain('mine');
  await page.reload();
  await page.getByRole('region', { name: 'Your unsaved text' }).getByText('mine').waitFor();
  await opened.photograph('notes-gone-unsaved');
  // A file that came back meanwhile is not overwritten, also when the page does not know of it before it saves.
  await page.route('**/api/note?path=n.md', async (request) => {
    if (request.request().method() === 'PUT') await workbench.writeNote('n.md', 'theirs\n');
    await request.continue();
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('This note was changed by another program.').waitFor();
  expect(await workbench.readNote('n.md')).toBe('theirs\n');
  await page.unrouteAll();
  rmSync(join(workbench.folder, 'n.md'));
  await page.getByText('This note can no longer be read.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await gone(page, 'Unsaved text');
  expect(await workbench.readNote('n.md')).toBe('first\nmine');
});

test('a save that comes too late loses neither text', async () => {
  await using opened = await openPage({ files: { 'n.md': 'first\n' } }, { route });
  const { page, workbench } = opened;
  await typeAtEnd(page, 'mine');
  // Whoever writes in the same moment: the page does not hear of it before it saves.
  await page.route('**/api/note?path=n.md', async (request) => {
    if (request.request().method() === 'PUT') await workbench.writeNote('n.md', 'theirs\n');
    await request.continue();
  });
  await page.keyboard.press('Control+s');
  await page.getByText('This note was changed by another program.').waitFor();
  expect(await editor(page).textContent()).toContain('mine');
  expect(await workbench.readNote('n.md')).toBe('theirs\n');
});

test('running from the source saves first, and answers appear in the text', async () => {
  await using opened = await openPage({ files: { 'n.md': echo('one') }, settings }, { route });
  const { page, workbench } = opened;
  await editor(page).getByText('text: one').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' two');
  await page.keyboard.press('Control+Enter');
  await editor(page).getByText('mcp-result').waitFor();
  expect(await workbench.readNote('n.md')).toMatch(
    /text: one two\n```\n\n```mcp-result .*\none two/,
  );
  await gone(page, 'Unsaved text');
});

test('an answer that comes while text is typed joins it, and nobody is asked', async () => {
  await using opened = await openPage({ files: { 'n.md': '# N\n' }, settings }, { route });
  const { page, workbench } = opened;
  const signal = join(workbench.folder, 'go.txt');
  await workbench.writeNote('n.md', `# N\n\n\`\`\`scripted\ntool: wait\nfile: ${signal}\n\`\`\`\n`);
  await editor(page).getByText('tool: wait').click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Cancel all (1)' }).waitFor();
  await typeAtEnd(page, 'typed meanwhile');
  writeFileSync(signal, '');
  await editor(page).getByText('it is there').waitFor();
  expect(await page.getByText('This note was changed by another program.').count()).toBe(0);
  await page.keyboard.press('Control+s');
  await gone(page, 'Unsaved text');
  expect(await workbench.readNote('n.md')).toMatch(/\nit is there\n```\ntyped meanwhile$/);
});

test('completes servers, tools and parameters, and underlines mistakes where they stand', async () => {
  await using opened = await openPage({ files: { 'n.md': '# N\n' }, settings }, { route });
  const { page, workbench, complaints } = opened;
  const client = await workbench.open();
  await client.get(`/servers/${scripted.id}/tools`);
  const choose = async (typed: string, label: string, written: string) => {
    await page.keyboard.type(typed);
    // The list of what was typed before stays until the next one has come.
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain(label);
    await opened.photograph(`notes-completion-${label}`);
    await page.keyboard.press('Enter');
    await editor(page).getByText(written).waitFor();
  };
  await typeAtEnd(page, '\n```');
  await choose('scr', 'scripted', 'tool:');
  // The next suggestions come by themselves.
  await page.getByRole('option', { name: 'echo' }).first().waitFor();
  await choose('lar', 'large', 'bytes:');
  await page.keyboard.type('many');
  await page.keyboard.press('Escape');
  await expect.poll(() => editor(page).locator('.cm-lintRange').textContent()).toContain('bytes');
  await page.getByText('1 mistake underlined').waitFor();
  expect(complaints).toEqual([]);
});

function editor(page: Page) {
  return page.getByRole('textbox', { name: 'Source of n.md' });
}

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

async function gone(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).waitFor({ state: 'detached' });
}
