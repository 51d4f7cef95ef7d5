import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';
import { TemporaryJournal } from '../testing/temporary-journal.ts';

const postMessage = {
  name: 'post_message',
  description: 'Posts to a channel. <img src=x onerror="window.harm = 1">',
  inputSchema: {
    type: 'object',
    properties: {
      channel: { type: 'string', description: 'Where it is read.' },
      text: { type: 'string' },
      branch: { type: 'string' },
      copies: { type: 'integer' },
      urgent: { type: 'boolean' },
    },
    required: ['channel', 'text'],
  },
};

/** Presses Tab until the focus is where it should be; says where it was when it never comes there. */
async function tabTo(page: Page, label: string): Promise<void> {
  const seen: string[] = [];
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const text = element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
      return element?.getAttribute('aria-label') ?? text;
    });
    if (name.startsWith(label)) return;
    seen.push(name.slice(0, 30));
  }
  throw new Error(`${label} is not reached: ${seen.join(' | ')}`);
}

test('"post to a channel after a plan" is made by keyboard alone, and works', async () => {
  using journal = new TemporaryJournal();
  const chat = scriptedServerConfig(
    { journal: journal.path, tools: [postMessage] },
    { name: 'chat' },
  );
  const others = Array.from({ length: 5 }, (_, index) => ({
    ...scriptedServerConfig({}, { name: `other-${index}` }),
    enabled: false,
  }));
  const settings = { mcpServers: [chat, ...others] };
  await using opened = await openPage({ settings, hooks: [] }, { route: '/hooks' });
  const { page, workbench, complaints } = opened;
  await page.getByText('No hooks yet').waitFor();
  await tabTo(page, 'New hook');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New hook' }).waitFor();
  await tabTo(page, 'Start from');
  await page.keyboard.type('Post');
  await tabTo(page, 'Name');
  expect(await page.getByLabel('Name (required)').inputValue()).toBe(
    'Post to a channel after a plan',
  );
  await tabTo(page, 'Tool');
  const tree = page.getByRole('tree');
  await tree.getByText('not available').first().waitFor();
  await page.keyboard.type('post_mess');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Value of channel');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('general');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.getByText('general').waitFor();
  await tabTo(page, 'Template for text');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Plan of {{ brunch }}');
  await preview.getByText('brunch').first().waitFor();
  await preview.getByText('It would run, and fail').waitFor();
  for (const _ of 'unch }}') await page.keyboard.press('Backspace');
  await page.keyboard.type('anch }} is ready');
  await preview.getByText('is ready').waitFor();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('heading', { name: 'Post to a channel after a plan' }).waitFor();

  const fields = { agent: 'speckit', operation: 'plan', timing: 'after', branch: '007-search' };
  const event = { id: 'e', kind: 'agent-operation', at: Date.now(), fields } as const;
  void workbench.services?.engine.emit(event);
  await expect
    .poll(() => journal.read().filter(({ kind }) => kind === 'call'))
    .toMatchObject([{ arguments: { channel: 'general', text: 'Plan of 007-search is ready' } }]);
  await page.getByRole('region', { name: 'Runs' }).getByText('Succeeded').waitFor();
  expect(await page.evaluate('window.harm')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('the editor names what is missing, proposes by name, previews a real event, and keeps what is typed', async () => {
  const chat = scriptedServerConfig({ tools: [postMessage] }, { name: 'chat' });
  const settings = { mcpServers: [chat] };
  const hook = {
    id: 'tell',
    name: 'Tell',
    trigger: { kind: 'git', events: ['commit'] },
    conditions: [{ field: 'branch', matches: '^[0-9]{3}-' }],
    actions: [
      {
        type: 'mcp',
        parameters: { serverId: chat.id, toolName: 'post_message', parameterMappings: [] },
      },
    ],
  };
  const route = '/hooks/tell?edit=1';
  await using opened = await openPage({ settings, hooks: [hook] }, { route });
  const { page, workbench, complaints } = opened;
  const git = { event: 'commit', branch: 'main' };
  const fields = { git, branch: 'main' };
  void workbench.services?.engine.emit({ id: 'c1', kind: 'git', at: Date.now(), fields });
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await page.getByText('Still required: channel, text.').waitFor();
  await page.getByLabel('Value of condition 1').fill('^[0-9]{4}-');
  await preview.getByText('On its last event').waitFor();
  await preview.getByText('it is "main"').waitFor();
  await preview.getByText('It would not run').waitFor();

  await page.getByRole('button', { name: 'Take the field branch for branch' }).click();
  await preview.locator('dt', { hasText: 'branch' }).waitFor();
  await page.getByLabel('Source of copies').selectOption('literal');
  await page.getByLabel('Value of copies').fill('3');
  await page.getByLabel('Source of urgent').selectOption('literal');
  await page.getByLabel('Value of urgent').selectOption('Yes');
  await page.getByLabel('Source of channel').selectOption('literal');
  await page.getByLabel('Value of channel').fill('general');
  await page.getByLabel('Source of text').selectOption('template');
  await page.getByLabel('Template for text').fill('{{ git.event }} on {{ branch }}');
  await preview.getByText('commit on main').waitFor();
  await opened.photograph('hooks-editor');
  expect(await findAxeProblems(page)).toEqual([]);

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.goBack();
  expect(await page.getByLabel('Value of channel').inputValue()).toBe('general');
  await page.getByLabel('Name (required)').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Write a name.').waitFor();
  expect(await page.evaluate('document.activeElement.value')).toBe('');
  await page.getByLabel('Name (required)').fill('Tell them');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Tell them' }).waitFor();
  const stored = JSON.parse(await workbench.readNote('.errand/hooks.json')).hooks[0];
  expect(stored.actions[0].parameters.parameterMappings).toEqual([
    { toolParam: 'branch', source: 'context', value: 'branch' },
    { toolParam: 'copies', source: 'literal', value: '3' },
    { toolParam: 'urgent', source: 'literal', value: 'true' },
    { toolParam: 'channel', source: 'literal', value: 'general' },
    { toolParam: 'text', source: 'template', value: '{{ git.event }} on {{ branch }}' },
  ]);
  expect(complaints).toEqual([]);
});
