import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookRun } from '@errand/hooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHookLog } from './hook-log.ts';

let vault: string;
beforeEach(async () => {
  vault = await mkdtemp(join(tmpdir(), 'errand-hook-log-'));
});
afterEach(() => rm(vault, { recursive: true }));

const open = () =>
  openHookLog({
    vault,
    bounds: () => ({ logDays: 30, logMegabytes: 100 }),
    notifier: { notify: () => undefined },
    redact: (text) => text.replaceAll('hunter2', '[a secret]'),
  });

const run = (id: string, change: Partial<HookRun> = {}): HookRun => ({
  id,
  hookId: 'h1',
  hookName: 'Hook',
  chain: { id: 'c', depth: 1, hooks: ['h1'] },
  event: { id: 'e', kind: 'manual', at: 1, fields: {} },
  status: 'success',
  startedAt: Date.now(),
  actions: [],
  ...change,
});

test('runs are found by hook and by the beginning of their id, each as it ended last', async () => {
  await using log = open();
  log.append(run('aaa1'));
  log.append(run('bbb2', { hookId: 'h2' }));
  log.append(run('aaa1', { status: 'failure' }));
  expect((await log.read({ limit: 10 })).map(({ id, status }) => [id, status])).toEqual([
    ['aaa1', 'failure'],
    ['bbb2', 'success'],
  ]);
  expect(await log.read({ hookId: 'h2', limit: 10 })).toMatchObject([{ id: 'bbb2' }]);
  expect(await log.find('bb')).toMatchObject({ id: 'bbb2' });
  expect(await log.find('x')).toBeUndefined();
});

test('nothing secret is written, and lines that are not ours are skipped', async () => {
  await using log = open();
  const action = {
    type: 'mcp',
    status: 'success',
    durationMs: 1,
    output: 'it is hunter2',
  } as const;
  const parameterResolutions = { password: 'abc', text: 'Bearer abcdefghijkl', note: 'A.md' };
  log.append(run('one', { actions: [{ ...action, parameterResolutions }] }));
  expect(await log.find('one')).toMatchObject({ id: 'one' });
  expect(await log.keepOutput('one-1', 'hunter2 again')).toBe('.errand/log/results/one-1');
  const [name = ''] = (await readdir(join(vault, '.errand/log'))).filter((each) =>
    /^hooks-.*jsonl$/.test(each),
  );
  const file = join(vault, '.errand/log', name);
  await appendFile(file, '{"id":"two","hookId":1}\nnot JSON\n');
  expect(await log.read({ limit: 10 })).toHaveLength(1);
  const text = await readFile(file, 'utf8');
  expect(text).toContain('"note":"A.md"');
  for (const secret of ['hunter2', 'abcdefghijkl', '"abc"']) expect(text).not.toContain(secret);
  expect(await readFile(join(vault, '.errand/log/results/one-1'), 'utf8')).not.toContain('hunter2');
});
