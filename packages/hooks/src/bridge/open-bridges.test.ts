import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { agentPrograms } from './agent-programs.ts';
import { openBridges } from './open-bridges.ts';

async function fixture() {
  const folder = await temporaryFolder();
  const [vault, home] = [join(folder.path, 'vault'), join(folder.path, 'home')];
  for (const path of [vault, home]) mkdirSync(path);
  const bridges = openBridges(vault, { home, env: {} });
  return {
    vault,
    home,
    bridges,
    installed: async () =>
      (await bridges.list())
        .filter(({ isInstalled }) => isInstalled)
        .map(({ program, scope }) => `${program} ${scope}`),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test.each(agentPrograms)(
  '%s: its file is made, listed, and gone again with its folder',
  async (program) => {
    await using it = await fixture();
    for (const scope of ['project', 'user'] as const) {
      const change = await it.bridges.planInstall(
        program,
        scope,
        `errand hooks bridge event ${program}`,
      );
      expect(change.file.startsWith(scope === 'user' ? it.home : it.vault)).toBe(true);
      expect(await it.bridges.apply(program, scope, change)).toBe(true);
      expect(readFileSync(change.file, 'utf8')).toBe(change.after);
      expect(await it.installed()).toEqual([`${program} ${scope}`]);
      const removal = await it.bridges.planRemoval(program, scope);
      expect(await it.bridges.apply(program, scope, removal)).toBe(true);
      expect(existsSync(join(change.file, '..'))).toBe(false);
    }
    const nothing = await it.bridges.planRemoval(program, 'project');
    expect(nothing).toMatchObject({ before: undefined, after: undefined });
  },
);

test('a link out of the project is not followed, and a broken file is left as it is', async () => {
  await using it = await fixture();
  const outside = join(it.home, 'settings.json');
  writeFileSync(outside, '{}');
  mkdirSync(join(it.vault, '.claude'));
  symlinkSync(outside, join(it.vault, '.claude/settings.json'));
  const install = () =>
    it.bridges.planInstall('claude', 'project', 'errand hooks bridge event claude');
  await expect(install()).rejects.toMatchObject({ code: 'settings_invalid' });
  expect(readFileSync(outside, 'utf8')).toBe('{}');
  mkdirSync(join(it.vault, '.cursor'));
  const broken = join(it.vault, '.cursor/hooks.json');
  writeFileSync(broken, '{\n  "hooks": ]\n}');
  for (const plan of [
    it.bridges.planInstall('cursor', 'project', 'errand hooks bridge event cursor'),
    it.bridges.planRemoval('cursor', 'project'),
  ]) {
    await expect(plan).rejects.toThrow(
      `${broken}:2:12: This is not JSON. The file was left as it is.`,
    );
  }
  expect(readFileSync(broken, 'utf8')).toBe('{\n  "hooks": ]\n}');
  const problems = (await it.bridges.list()).flatMap(({ problem }) => problem ?? []);
  expect(problems).toHaveLength(2);
  writeFileSync(broken, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  await expect(it.bridges.planRemoval('cursor', 'project')).rejects.toThrow('not UTF-8');
});

test('a file that was changed since it was looked at is not written', async () => {
  await using it = await fixture();
  const change = await it.bridges.planInstall(
    'codex',
    'project',
    'errand hooks bridge event codex',
  );
  mkdirSync(join(it.vault, '.codex'));
  writeFileSync(change.file, '{}');
  expect(await it.bridges.apply('codex', 'project', change)).toBe(false);
  expect(readFileSync(change.file, 'utf8')).toBe('{}');
});

test('folders that variables name are used for files of the user', async () => {
  await using it = await fixture();
  const env = {
    CLAUDE_CONFIG_DIR: join(it.home, 'c'),
    COPILOT_HOME: join(it.home, 'p'),
    CODEX_HOME: join(it.home, 'x'),
  };
  const files = (await openBridges(it.vault, { home: it.home, env }).list())
    .filter(({ scope }) => scope === 'user')
    .map(({ file }) => file.slice(it.home.length));
  expect(files).toEqual([
    '/c/settings.json',
    '/p/hooks/errand.json',
    '/.cursor/hooks.json',
    '/x/hooks.json',
  ]);
});
