import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemorySecretStore } from '@errand/host/testing';
import { QuestionQueue } from '@errand/workspace/questions';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSession } from './vault-session.ts';

let home = '';

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'errand-session-')));
  for (const name of ['HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR']) vi.stubEnv(name, home);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
});

const hooks = [
  { kind: 'file', events: ['changed'], glob: '**/*.md' },
  { kind: 'git', events: ['commit'] },
  { kind: 'schedule', cron: '0 4 * * *' },
  { kind: 'http' },
].map((trigger, index) => ({
  id: `hook-${index}`,
  name: `Hook ${index}`,
  trigger,
  actions: [{ type: 'custom', parameters: { command: 'true', args: [] } }],
}));

/** What keeps a process alive, but for what was there before. */
const resources = () => process.getActiveResourcesInfo().toSorted();

test('hooks run in the window that owns the vault, and leave no watcher, timer or listener behind', async () => {
  const folder = join(home, 'vault');
  mkdirSync(join(folder, '.errand'), { recursive: true });
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.errand/settings.json'), '{"version": 1}');
  writeFileSync(join(folder, '.errand/hooks.json'), JSON.stringify({ version: 1, hooks }));
  const before = resources();
  const session = await openSession(
    {
      folder,
      version: '0.0.0',
      secrets: createMemorySecretStore(),
      notifier: { notify: () => {} },
      elicitor: { elicit: async () => ({ action: 'decline' }) },
      questions: new QuestionQueue(),
      askTrust: async () => false,
    },
    new AbortController().signal,
  );
  session.vault.host.servers.start();
  const strangers = (await session.hooks.list()).hooks;
  expect(strangers.map(({ verdict }) => verdict)).toEqual(hooks.map(() => 'untrusted'));
  const agreed = strangers.map(({ hook, seen }) => ({ hook: hook.id, seen }));
  await session.hooks.ask('agree', { hooks: agreed });
  const listed = await session.hooks.ask('list', {});
  expect(listed.hooks.map(({ verdict }) => verdict)).toEqual(hooks.map(() => 'trusted'));
  expect(listed.hooks[2]?.nextRun).toBeGreaterThan(Date.now());
  const { run } = await session.hooks.ask('run', { hook: 'Hook 0' });
  const { run: ended } = await session.hooks.ask('wait', { run: run.id });
  expect(ended.status).toBe('success');
  expect(resources().length).toBeGreaterThan(before.length);
  await session[Symbol.asyncDispose]();
  await expect.poll(resources, { timeout: 20_000 }).toEqual(before);
});
