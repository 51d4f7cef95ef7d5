import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const hang = '# Today\n\n```scripted\ntool: hang\n```\n';
const echo = '```scripted\ntool: echo\ntext: hello\n```\n';
const soon = { timeout: 30_000 };
/** A loaded machine takes its time. */
const long = { timeout: 240_000 };

test('reports a lost server, gives it up, and enables it again', long, async () => {
  await using vault = await ScriptedVault.open(echo, {
    changeServer: (server, home) => {
      const { localConfig } = server;
      const command = join(home, 'program');
      symlinkSync(localConfig?.command ?? '', command);
      return { ...server, localConfig: { ...localConfig, command } };
    },
  });
  const { obsidian } = vault;
  const { page } = obsidian;
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  await vault.command('Open side view');
  const server = page.locator('.errand-server');
  await expect.poll(() => server.textContent(), soon).toMatch(/scripted.*Connected.*\d+ tools/);
  const started = vault.journal.find(({ kind }) => kind === 'started');
  const program = join(obsidian.home, 'program');
  unlinkSync(program);
  await page.clock.install();
  process.kill(started?.pid ?? 0, 'SIGKILL');
  expect(await vault.notice('MCP server scripted disconnected, retrying...')).not.toContain(
    'errand servers',
  );
  await expect
    .poll(() => server.textContent(), soon)
    .toMatch(/Retrying: attempt \d of 3, next try (in \d+ s|now)/);
  const status = page.locator('.errand-status');
  await expect.poll(() => status.textContent(), soon).toContain('1 server in trouble');
  const readNotices = () => obsidian.harness.evaluate((each) => each.notices);
  const isGivenUp = (text: string) => text.includes('auto-disabled after 3 failures');
  // The tries come after 1, 5 and 15 seconds, which pass at once here, as does the time that a notice is shown;
  // a timer that is 10 seconds late would mean that the machine slept.
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(4_000);
        return (await readNotices()).filter(isGivenUp).length;
      },
      { timeout: 90_000 },
    )
    .toBe(1);
  const notices = await readNotices();
  expect(notices.find(isGivenUp)).toContain('enable it in the side view of Errand.');
  expect(notices.findIndex((each) => each.includes('disconnected, retrying...'))).toBeLessThan(
    notices.findIndex(isGivenUp),
  );
  await obsidian.harness.evaluate((each) => each.activate(0));
  await vault.putCursor(1);
  await vault.command('Run block');
  await vault.notice('Server scripted is disabled');
  symlinkSync(process.execPath, program);
  await vault.press('Enable scripted');
  await expect.poll(() => server.getAttribute('data-tone'), soon).toBe('good');
  await vault.press('Test scripted');
  await expect.poll(() => server.textContent(), soon).toMatch(/It works: \d+ tools\./);
  await expect.poll(() => status.textContent(), soon).not.toContain('trouble');
});

test('shows calls with their time, ends one, and opens the note of a past one', long, async () => {
  await using vault = await ScriptedVault.open(hang);
  const { obsidian } = vault;
  const { page } = obsidian;
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.called('hang');
  const status = page.locator('.errand-status');
  await expect.poll(() => status.textContent(), soon).toContain('1 running');
  expect(await status.getAttribute('aria-label')).toContain('Calls: 1 running');
  await status.click();
  const call = page.locator('.errand-call');
  await call.waitFor();
  expect(await call.textContent()).toContain('scripted · hang');
  const time = () => call.locator('.errand-time').textContent();
  const first = await time();
  await expect.poll(time, soon).not.toBe(first);
  await vault.press('Cancel scripted · hang of note.md, line 3');
  await vault.heard('cancelled');
  const past = page.locator('.errand-past');
  await past.waitFor();
  expect(await past.textContent()).toMatch(/scripted · hang.*Cancelled/);
  expect(await call.count()).toBe(0);
  await vault.putCursor(1);
  await past.locator('.errand-note-link').click();
  await expect
    .poll(() => obsidian.harness.evaluate((each) => each.pane(0).editor.getCursor().line), soon)
    .toBe(2);
  await vault.press('Stop all executions');
  await vault.notice('Execution stopped by user');
  await expect.poll(() => status.textContent(), soon).toContain('Stopped');
  await vault.press('Resume executions');
  await page.getByRole('button', { name: 'Stop all executions' }).waitFor();
  await obsidian.harness.evaluate((each) => each.unload());
  expect(await page.locator('.errand-view').count()).toBe(0);
  expect(await page.locator('.status-bar-item').count()).toBe(0);
  expect(await obsidian.harness.evaluate((each) => each.listeners())).toBe(0);
});

test('says what to do first, and tests nothing without servers', async () => {
  const data = JSON.stringify({ version: 1 });
  await using vault = await ScriptedVault.open('Nothing.\n', { data });
  const { page } = vault.obsidian;
  await vault.show('source');
  await vault.command('Show execution history');
  const view = page.locator('.errand-view');
  await expect.poll(() => view.textContent(), soon).toContain('Insert a tool call into a note');
  expect(await view.textContent()).toContain('Add the first one in the settings of Errand.');
  await vault.command('Test connections');
  await vault.notice('There is no server to test.');
  await vault.command('Run note');
  await vault.notice('note.md has no blocks to run.');
  expect(await page.locator('.errand-status').isVisible()).toBe(false);
});

test('searches a long history, a page at a time, and stays quick', async () => {
  const calls = Array.from({ length: 1_000 }, (_, number) => ({
    id: `call-${number}`,
    source: 'user-codeblock',
    server: number % 2 === 0 ? 'scripted' : 'mail',
    tool: `tool-${number}`,
    note: 'note.md',
    line: 1,
    status: number === 500 ? 'error' : 'success',
    submittedAt: Date.now() - 1_000,
    durationMs: 5,
    resultBytes: 1,
    error: number === 500 ? { code: 'tool_failed', message: 'It broke.' } : null,
  }));
  await using vault = await ScriptedVault.open(echo, {
    changeServer: (server, home) => {
      const folder = join(home, 'vault/.errand/log');
      mkdirSync(folder, { recursive: true });
      const lines = calls.map((call) => JSON.stringify(call)).join('\n');
      writeFileSync(
        join(folder, `calls-${new Date().toISOString().slice(0, 10)}.jsonl`),
        `${lines}\n`,
      );
      return server;
    },
  });
  const { page } = vault.obsidian;
  await vault.show('source');
  await vault.command('Show execution history');
  const rows = page.locator('.errand-past');
  await expect.poll(() => rows.count(), soon).toBe(50);
  await vault.press('Show more');
  await expect.poll(() => rows.count(), soon).toBe(100);
  await page.getByRole('searchbox', { name: 'Search the history' }).fill('failed');
  await expect.poll(() => rows.count(), soon).toBe(1);
  expect(await rows.textContent()).toContain('It broke.');
});
