import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type { HookRun } from '../../contract.ts';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { hostileHtml } from '../testing/hostile-text.ts';
import { openPage } from '../testing/open-page.ts';

const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const route = '/hooks';
const call = (toolName: string, text: string, serverId = scripted.id) => ({
  type: 'mcp',
  parameters: {
    serverId,
    toolName,
    parameterMappings:
      toolName === 'echo' ? [{ toolParam: 'text', source: 'template', value: text }] : [],
  },
});
const hook = (name: string, rest: object = {}) => ({
  id: name.toLowerCase().replaceAll(/\W/g, '-').slice(0, 40),
  name,
  trigger: { kind: 'manual' },
  actions: [call('echo', 'hello')],
  ...rest,
});

test('hooks are shown with what they wait for and what is wrong, run live, and are approved', async () => {
  const file = { kind: 'file', events: ['created'], glob: 'Inbox/*.md' };
  const hooks = [
    hook('Slow one', { actions: [call('hang', '')] }),
    hook('Tidy', { trigger: { kind: 'schedule', cron: '0 20 * * *' } }),
    hook('Gone', { actions: [call('echo', 'x', 'no-such-server')] }),
    hook('Picky', {
      trigger: file,
      conditions: [{ field: 'fileName', matches: '^[0-9]' }],
      actions: [call('echo', hostileHtml.replaceAll(/[{}]/g, ''))],
    }),
    hook(`Strange <img src=x onerror="window.harm=1">`),
    { id: 'b', name: 'Broken', trigger: { kind: 'party' } },
  ];
  const strangers = [`Strange <img src=x onerror="window.harm=1">`];
  await using opened = await openPage({ settings, hooks, strangers }, { route });
  const { page, complaints, workbench } = opened;
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('Tidy').getByText('every day at 20:00').waitFor();
  await row('Gone').getByText('Invalid').waitFor();
  await row('Gone').getByRole('button', { name: 'Remove Gone' }).waitFor();
  await page.getByText('.errand/hooks.json:').first().waitFor();
  await row('Strange').getByText('Needs your approval').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('hooks');

  await page.getByRole('button', { name: 'Review' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('then: call echo of scripted').waitFor();
  await dialog.getByRole('checkbox').check();
  await opened.photograph('hooks-agree');
  await dialog.getByRole('button', { name: 'Agree to selected' }).click();
  await row('Strange').getByText('Never ran').waitFor();

  await row('Tidy').getByRole('switch').click();
  await row('Tidy').getByText('Off').waitFor();
  await row('Slow one').getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('heading', { name: /^Run / }).waitFor();
  await page.getByRole('link', { name: 'Slow one' }).click();
  await page.getByRole('button', { name: 'Cancel Slow one' }).click();
  await page.getByText('Cancelled').first().waitFor();

  const emit = (fileName: string) => {
    const path = `Inbox/${fileName}`;
    const fields = { filePath: path, fileName, file: { path, event: 'created' } };
    void workbench.services?.engine.emit({ id: path, kind: 'file', at: Date.now(), fields });
  };
  emit('letter.md');
  await page.goto(`${new URL(page.url()).origin}/#/hooks/picky`);
  await page.getByRole('button', { name: 'Why did it not run?' }).click();
  await page.getByText('a condition failed: fileName ~ ^[0-9], but it was "letter.md".').waitFor();
  emit('7.md');
  await page.getByRole('link', { name: /:/ }).first().click();
  await page.getByRole('region', { name: 'Action 1' }).getByText('Succeeded').waitFor();
  await opened.photograph('hooks-run');
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('Succeeded').first().waitFor();
  expect(await page.evaluate('window.harm')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a thousand hooks and a storm of runs leave the page small and quick, also when it is narrow', async () => {
  const hooks = Array.from({ length: 1_000 }, (_, index) =>
    hook(`Hook ${index}`, { id: `h${index}` }),
  );
  const size = { width: 380, height: 800, colorScheme: 'dark' } as const;
  await using opened = await openPage({ hooks }, { route, ...size });
  const { page, workbench, complaints } = opened;
  const filter = page.getByLabel('Filter the hooks');
  await filter.waitFor();
  const run = (index: number, status: 'running' | 'success'): HookRun => ({
    id: `r${index}`,
    hookId: `h${index % 1_000}`,
    hookName: `Hook ${index % 1_000}`,
    chain: { id: 'c', depth: 1, hooks: [] },
    event: { id: `e${index}`, kind: 'manual', at: index, fields: {} },
    status,
    startedAt: Date.now(),
    actions: [],
  });
  const storm = (async () => {
    for (let index = 0; index < 10_000; index += 1) {
      const changed = run(index, index % 2 === 0 ? 'running' : 'success');
      void workbench.services?.engine.events.emit({ kind: 'run-changed', run: changed });
      if (index % 500 === 0) await new Promise(setImmediate);
    }
  })();
  await filter.fill('Hook 77');
  await page.getByRole('link', { name: 'Hook 777', exact: true }).waitFor();
  await storm;
  await filter.fill('');
  await page.getByRole('region', { name: 'Runs' }).getByText('Running').first().waitFor();
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(4_000);
  const overflow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(false);
  await opened.photograph('hooks-narrow-dark');
  await page.getByRole('link', { name: 'New hook' }).click();
  await page.getByLabel('What happens').selectOption('file');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('What it does').selectOption('github');
  expect(await page.evaluate(overflow)).toBe(false);
  expect(await findAxeProblems(page)).toEqual([]);
  await opened.photograph('hooks-editor-narrow-dark');
  expect(complaints).toEqual([]);
});
