import { scriptedServerConfig } from '@errand/machine/testing';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const serverId = '7e0c8a4e-6b53-4f0c-9b7e-2a61f3f2d002';
const gone = '7e0c8a4e-6b53-4f0c-9b7e-2a61f3f2d003';
const hostile = '<img src=x onerror="globalThis.harm=1">';
const postMessage = {
  name: 'post_message',
  description: `Posts to a channel. ${hostile}`,
  inputSchema: {
    type: 'object',
    properties: {
      channel: { type: 'string', description: 'Where it is read.' },
      text: { type: 'string' },
      user: { type: 'string' },
    },
    required: ['channel', 'text'],
  },
};

let scripted: ScriptedEditor;

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    servers: ({ journal }) => [
      scriptedServerConfig(
        { journal, tools: [postMessage] },
        {
          id: serverId,
          name: 'chat',
        },
      ),
    ],
    hooks: () => [
      {
        id: 'left',
        name: `Left ${hostile}`,
        trigger: { kind: 'manual' },
        actions: [
          {
            type: 'mcp',
            parameters: { serverId: gone, toolName: 'post_message', parameterMappings: [] },
          },
        ],
      },
      {
        id: 'moved',
        name: 'Moved',
        trigger: { kind: 'manual' },
        actions: [
          {
            type: 'mcp',
            parameters: {
              serverId,
              toolName: 'post_message',
              parameterMappings: [
                { toolParam: 'channel', source: 'literal', value: 'first' },
                { toolParam: 'text', source: 'literal', value: 'first' },
              ],
            },
          },
          {
            type: 'mcp',
            parameters: {
              serverId: gone,
              toolName: 'say',
              parameterMappings: [
                { toolParam: 'text', source: 'template', value: 'Hello {{ triggerType }}' },
                { toolParam: 'room', source: 'literal', value: 'plans' },
              ],
            },
          },
        ],
      },
      {
        id: 'saved',
        name: 'On save',
        trigger: { kind: 'file', events: ['changed'], glob: 'Inbox/*.md' },
        actions: [
          {
            type: 'mcp',
            parameters: {
              serverId,
              toolName: 'post_message',
              parameterMappings: [
                { toolParam: 'channel', source: 'literal', value: 'plans' },
                { toolParam: 'text', source: 'template', value: '{{ file.name }} was saved' },
              ],
            },
          },
        ],
      },
    ],
    notes: () => ({ 'Inbox/plan.md': 'a plan\n' }),
  });
  await scripted.showViews();
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

/** The page inside of the frames of the editor, in the tab that is shown. */
async function shownPage(heading: string): Promise<Frame> {
  let found: Frame | undefined;
  await expect
    .poll(
      async () => {
        for (const frame of scripted.editor.page.frames()) {
          const head = frame.locator('.hook-page h1', { hasText: heading });
          if (await head.isVisible().catch(() => false)) found = frame;
        }
        return found !== undefined;
      },
      { timeout: 40_000 },
    )
    .toBe(true);
  return found as Frame;
}

const row = (name: string): Locator =>
  scripted.editor.page.locator('.pane-body .monaco-list-row', { hasText: name }).first();

const hooksFile = () => JSON.parse(scripted.editor.file('.errand/hooks.json')) as HooksFile;

interface HooksFile {
  readonly hooks: readonly {
    readonly name: string;
    readonly actions: readonly { readonly parameters: object }[];
  }[];
}

test('writes a hook: finds the tool, maps each source, previews, saves, tests and runs it', async () => {
  await scripted.command('errand.hook.new');
  const page = await shownPage('New hook');
  await page.getByLabel('Name').fill('Tell the channel');
  await page.getByLabel('What happens').selectOption('manual');
  await page.getByRole('treeitem', { name: 'post_message' }).waitFor();
  await page.getByLabel(/^Tool/).fill('nothing like it');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByLabel(/^Tool/).fill('post');
  await page.getByRole('treeitem', { name: 'post_message' }).click();
  await page.getByText('Still required: channel, text.').waitFor();
  await page.getByLabel('Source of channel').selectOption('literal');
  await page.getByLabel('Value of channel').fill('plans');
  await page.getByLabel('Source of text').selectOption('template');
  await page.getByLabel('Template for text').fill('Hello {{ triggerType }}');
  await page.getByLabel('Source of user').selectOption('context');
  await page.getByLabel('Field for user').fill('triggerType');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await expect.poll(() => preview.textContent()).toMatch(/text.*Hello manual.*user.*manual/);
  await expect.poll(() => preview.textContent()).toMatch(/It would run/);
  expect(scripted.journal.filter(({ kind }) => kind === 'call')).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  const saved = await shownPage('Tell the channel');
  expect(hooksFile().hooks.at(-1)).toMatchObject({
    name: 'Tell the channel',
    actions: [
      {
        parameters: {
          serverId,
          parameterMappings: [
            { toolParam: 'channel', source: 'literal', value: 'plans' },
            { toolParam: 'text', source: 'template', value: 'Hello {{ triggerType }}' },
            { toolParam: 'user', source: 'context', value: 'triggerType' },
          ],
        },
      },
    ],
  });
  await expect.poll(() => row('Tell the channel').textContent()).toMatch(/Never ran/);
  await saved.getByRole('button', { name: 'Test' }).click();
  await saved.getByRole('region', { name: 'Test' }).getByText('Hello manual').waitFor();
  expect(scripted.journal.filter(({ kind }) => kind === 'call')).toEqual([]);
  await saved.getByRole('button', { name: 'Run now' }).click();
  await saved
    .getByRole('region', { name: 'Run' })
    .getByText('Succeeded', { exact: true })
    .waitFor();
  expect(await scripted.called('post_message')).toMatchObject({
    arguments: { channel: 'plans', text: 'Hello manual', user: 'manual' },
  });
  await expect.poll(() => row('Tell the channel').textContent()).toMatch(/Succeeded/);
}, 120_000);

test('the page loads nothing from elsewhere, and shows what strangers wrote as text', async () => {
  await scripted.command('errand.hook.edit', 'Tell the channel');
  const page = await shownPage('Tell the channel');
  const policy = await page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute('content');
  expect(policy).toMatch(
    /^default-src 'none'; style-src [^;]+; script-src 'nonce-[A-Za-z0-9+/=]{20,}'$/,
  );
  expect(await page.locator('.hook-page :is([style], [onclick], img)').count()).toBe(0);
  await page.getByRole('button', { name: 'Change the tool' }).click();
  await page.getByText(hostile).first().waitFor();
  expect(await page.evaluate(() => 'harm' in globalThis)).toBe(false);
  const refused = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.harm = 2';
    document.body.append(script);
    const answer = await fetch('https://example.com/').catch(() => 'refused');
    return { answer, isHarmed: 'harm' in globalThis };
  });
  expect(refused).toEqual({ answer: 'refused', isHarmed: false });
});

test('what was found is kept for the next page, and Refresh asks the servers again', async () => {
  const foundAt = (page: Frame) =>
    page.getByRole('button', { name: 'Refresh' }).getAttribute('title');
  const first = await shownPage('Tell the channel');
  const before = await foundAt(first);
  expect(before).toMatch(/^Found at .*\d/);
  await scripted.command('errand.hook.edit', `Left ${hostile}`);
  const page = await shownPage('Left');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByRole('treeitem', { name: 'post_message' }).waitFor();
  expect(await foundAt(page)).toBe(before);
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return foundAt(page);
      },
      { timeout: 20_000, interval: 500 },
    )
    .not.toBe(before);
});

test('a hook whose server was removed is updated, or removed', async () => {
  await expect.poll(() => row('Left').textContent()).toMatch(/Invalid/);
  await scripted.command('errand.hook.edit', `Left ${hostile}`);
  const page = await shownPage('Left');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(hostile);
  await page
    .getByRole('note', { name: 'Invalid' })
    .getByText(/was removed or never registered/)
    .waitFor();
  await page.getByRole('note', { name: 'Invalid' }).getByRole('button', { name: 'Remove' }).click();
  const dialog = scripted.editor.page.locator('.monaco-dialog-box');
  await expect.poll(() => dialog.textContent()).toMatch(/Remove the hook/);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect
    .poll(() => hooksFile().hooks.map(({ name }) => name))
    .toEqual(['Moved', 'On save', 'Tell the channel']);
});

test('Update leads to the call whose server is gone, keeps what fits the chosen tool, and makes the hook whole', async () => {
  await expect.poll(() => row('Moved').textContent()).toMatch(/Invalid/);
  await scripted.command('errand.hook.edit', 'Moved');
  const page = await shownPage('Moved');
  const action = page.getByRole('group', { name: 'Action 2' });
  await action.getByText('there is no such server').waitFor();
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.getByText('Server not found').waitFor();
  await page.getByRole('note', { name: 'Invalid' }).getByRole('button', { name: 'Update' }).click();
  const search = action.getByLabel(/^Tool/);
  await expect
    .poll(() => search.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await search.fill('post');
  await action.getByRole('treeitem', { name: 'post_message' }).click();
  // What was mapped to a parameter of the same name stays; the rest is shown until the person has decided.
  expect(await action.getByLabel('Template for text').inputValue()).toBe('Hello {{ triggerType }}');
  await action.getByText('The tool has no such parameter.').waitFor();
  await action.getByRole('button', { name: 'Remove room' }).click();
  await action.getByText('Still required: channel.').waitFor();
  await action.getByLabel('Source of channel').selectOption('literal');
  await action.getByLabel('Value of channel').fill('plans');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('note', { name: 'Invalid' }).waitFor({ state: 'detached' });
  const moved = hooksFile().hooks.find(({ name }) => name === 'Moved');
  expect(moved?.actions[1]?.parameters).toMatchObject({
    serverId,
    toolName: 'post_message',
    parameterMappings: [
      { toolParam: 'text', source: 'template', value: 'Hello {{ triggerType }}' },
      { toolParam: 'channel', source: 'literal', value: 'plans' },
    ],
  });
  await expect.poll(() => row('Moved').textContent()).toMatch(/Never ran/);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('region', { name: 'Run' }).getByText('Succeeded', { exact: true }).waitFor();
  expect(scripted.journal.at(-1)).toMatchObject({
    arguments: { channel: 'plans', text: 'Hello manual' },
  });
});

test('the preview is made of the last event that came, and follows what is typed', async () => {
  const said = () => scripted.journal.map((line) => line.arguments?.text);
  scripted.editor.write('Inbox/plan.md', 'a better plan\n');
  await expect.poll(said).toContain('plan.md was saved');
  await expect.poll(() => row('On save').textContent()).toMatch(/Succeeded/);
  const before = scripted.journal.length;
  await scripted.command('errand.hook.edit', 'On save');
  const page = await shownPage('On save');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.getByText('On its last event').waitFor();
  await preview.getByText('plan.md was saved').waitFor();
  await page.getByLabel('Template for text').fill('Look at {{ file.path }}');
  await preview.getByText('Look at Inbox/plan.md').waitFor();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field of condition 1').fill('file.name');
  await page.getByLabel('Value of condition 1').fill('other.md');
  await preview.getByText('it is "plan.md"').waitFor();
  await preview.getByText('It would not run').waitFor();
  expect(scripted.journal).toHaveLength(before);
});
