import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callRecord, noon } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { openVaultAndOutside } from '../testing/vault-and-outside.ts';

const today = new Date(noon).toISOString().slice(0, 10);

test.each(['.errand/log/results', '.errand/log', '.errand'])(
  'pruning removes nothing where %s leads as a link',
  async (path) => {
    await using fixture = await openVaultAndOutside();
    const target = join(fixture.outside, 'folder');
    const below = '.errand/log/results'.slice(path.length + 1);
    const old = [join(target, below, 'old-file'), join(target, below, '../calls-2001-01-01.jsonl')];
    for (const file of old) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'precious');
      await utimes(file, 1000, 1000);
    }
    await fixture.link(path, target);
    await fixture.logCall({ logDays: 1 });
    for (const file of old) expect(await readFile(file, 'utf8')).toBe('precious');
    if (path !== '.errand/log/results') expect(fixture.notices).toHaveLength(1);
  },
);

test('pruning removes only plain files with names of our own', async () => {
  await using fixture = await openVaultAndOutside();
  const results = join(fixture.vault, '.errand/log/results');
  await mkdir(join(results, 'folder'), { recursive: true });
  await writeFile(join(fixture.outside, 'target'), 'precious');
  await symlink(join(fixture.outside, 'target'), join(results, 'link'));
  for (const name of ['call-1', 'thesis.docx']) await writeFile(join(results, name), '');
  for (const name of ['call-1', 'thesis.docx']) await utimes(join(results, name), 1000, 1000);
  await utimes(join(fixture.outside, 'target'), 1000, 1000);
  await fixture.logCall({ logDays: 1 });
  expect((await readdir(results)).sort()).toEqual(['folder', 'link', 'thesis.docx']);
  expect(await readFile(join(fixture.outside, 'target'), 'utf8')).toBe('precious');
});

test.each(['a file', 'nothing'])(
  'no line of the log lands where its file leads as a link to %s',
  async (what) => {
    await using fixture = await openVaultAndOutside();
    const target = join(fixture.outside, '.bashrc');
    if (what === 'a file') await writeFile(target, 'alias l=ls\n');
    await fixture.link(`.errand/log/calls-${today}.jsonl`, target);
    await fixture.logCall({});
    expect(fixture.notices).toMatchObject([{ detail: expect.stringContaining('symbolic link') }]);
    if (what === 'a file') expect(await readFile(target, 'utf8')).toBe('alias l=ls\n');
    else expect(existsSync(target)).toBe(false);
  },
);

test('what is appended when the program exits follows no link either', async () => {
  await using fixture = await openVaultAndOutside();
  const target = join(fixture.outside, '.bashrc');
  await writeFile(target, 'alias l=ls\n');
  await fixture.link(`.errand/log/calls-${today}.jsonl`, target);
  const program = `
    import { CallLogFile } from ${JSON.stringify(import.meta.resolve('./call-log-file.ts'))};
    const log = new CallLogFile({
      vault: ${JSON.stringify(fixture.vault)},
      settings: () => ({ logParameters: false, logDays: 30, logMegabytes: 100 }),
      notifier: { notify() {} },
      now: () => ${noon},
    });
    log.append(${JSON.stringify(callRecord({}))});
    process.exit(0);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(await readFile(target, 'utf8')).toBe('alias l=ls\n');
});

test('the log is not read through a link', async () => {
  await using fixture = await openVaultAndOutside();
  await using log = fixture.openLog({});
  log.append(callRecord({ id: 'mine' }));
  await log.flush();
  const folder = join(fixture.vault, '.errand/log');
  await rename(folder, join(fixture.outside, 'log'));
  await symlink(join(fixture.outside, 'log'), folder);
  expect(await log.query({})).toEqual([]);
});

test.each(['.errand/log/results/call-7', '.errand/log/results'])(
  'no result is kept where %s leads as a link',
  async (path) => {
    await using fixture = await openVaultAndOutside();
    const target = join(fixture.outside, 'target');
    if (path.endsWith('results')) await mkdir(target);
    else await writeFile(target, 'precious');
    await fixture.link(path, target);
    await using log = fixture.openLog({});
    const kept = await log.keepResult('call-7', 'the answer').catch((error: unknown) => error);
    if (path.endsWith('results')) {
      expect(kept).toBeInstanceOf(Error);
      expect(await readdir(target)).toEqual([]);
    } else expect(await readFile(target, 'utf8')).toBe('precious');
  },
);
