import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ContainedRoot, openContainedRoot } from './contained-root.ts';
import { FilesError } from './files-error.ts';
import { locateFile, openFileIn } from './open-file.ts';
import { openFolder } from './open-folder.ts';
import { readFileBelow } from './read-file.ts';
import { replaceFile } from './replace-file.ts';

const ways = [
  ['with folders held open', openContainedRoot],
  ['by paths alone', (path: string) => ({ ...openContainedRoot(path), holdsFolders: false })],
] as const;

for (const [way, open] of ways) {
  test.each([
    ['none', 'link.md', 'outside'],
    ['none', 'linked/note.md', 'outside'],
    ['visible', 'hidden.md', 'outside'],
    ['visible', 'out.md', 'outside'],
    ['visible', 'out/secret', 'outside'],
    ['inside', 'out.md', 'outside'],
    ['inside', 'nowhere.md', 'outside'],
    ['inside', 'loop.md', 'outside'],
    ['inside', 'pipe.md', 'not_a_file'],
    ['inside', 'dir', 'not_a_file'],
    ['inside', 'missing.md', 'missing'],
    ['inside', 'dir/note.md/deeper', 'not_a_folder'],
  ] as const)(`follows %s links and refuses %s as %s ${way}`, async (links, path, code) => {
    const { root } = folderWithLinks(open);
    const reading = readFileBelow(root, path.split('/'), { links });
    await expect(reading).rejects.toMatchObject({ name: 'FilesError', code });
  });

  test.each([
    ['visible', 'link.md'],
    ['visible', 'linked/note.md'],
    ['inside', 'hidden.md'],
    ['none', 'dir/note.md'],
  ] as const)(`follows %s links and reads %s ${way}`, async (links, path) => {
    const { root } = folderWithLinks(open);
    const bytes = await readFileBelow(root, path.split('/'), { links });
    expect(bytes.toString()).toBe('inside');
  });

  test(`accepts a root that is reached through a link ${way}`, async () => {
    const { folder } = folderWithLinks(open);
    symlinkSync(folder, `${folder}-link`);
    const bytes = await readFileBelow(open(`${folder}-link`), ['dir', 'note.md']);
    expect(bytes.toString()).toBe('inside');
  });

  test(`makes no folder where a link leads out ${way}`, () => {
    const { root, outside } = folderWithLinks(open);
    expect(() => openFolder(root, ['out', 'new'], { create: true })).toThrow(FilesError);
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  test(`appends to no file that is a link ${way}`, async () => {
    const { root, outside } = folderWithLinks(open);
    using folder = openFolder(root, []);
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
    for (const name of ['out.md', 'nowhere.md']) {
      const opening = openFileIn({ root, folder, name }, flags, 0o600);
      await expect(opening).rejects.toMatchObject({ code: 'outside' });
    }
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });
}

test('is never led outside by a folder that keeps turning into a link', async () => {
  const { folder, root, outside } = folderWithLinks(openContainedRoot);
  writeFileSync(join(outside, 'note.md'), 'secret');
  const swapper = spawn(process.execPath, ['-e', swapForever], {
    env: { DIR: join(folder, 'dir'), OUTSIDE: outside },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');
  const seen = { inside: 0, refused: 0 };
  for (let round = 0; round < 2000; round++) {
    try {
      const bytes = await readFileBelow(root, ['dir', 'note.md']);
      expect(bytes.toString()).toMatch(/^inside/);
      seen.inside++;
      if (round % 10 !== 0) continue;
      using note = locateFile(root, ['dir', 'note.md']);
      await replaceFile(note, `inside ${round}`);
    } catch (error) {
      if (!(error instanceof Error && ('syscall' in error || error instanceof FilesError))) {
        throw error;
      }
      seen.refused++;
    }
  }
  expect(seen.inside).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
  expect(readdirSync(outside).sort()).toEqual(['note.md', 'secret']);
  expect(readFileSync(join(outside, 'note.md'), 'utf8')).toBe('secret');
}, 60_000);

test('stays in a held folder when a link takes its place between check and use', async () => {
  const { folder, root, outside } = folderWithLinks(openContainedRoot);
  using note = locateFile(root, ['dir', 'note.md']);
  renameSync(join(folder, 'dir'), join(folder, 'moved'));
  symlinkSync(outside, join(folder, 'dir'));
  await replaceFile(note, 'new');
  expect(readdirSync(outside)).toEqual(['secret']);
  expect(readFileSync(join(folder, 'moved/note.md'), 'utf8')).toBe('new');
});

const swapForever = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { DIR, OUTSIDE } = process.env;
  console.log('swapping');
  for (;;) {
    renameSync(DIR, DIR + '-real');
    symlinkSync(OUTSIDE, DIR);
    unlinkSync(DIR);
    renameSync(DIR + '-real', DIR);
  }
`;

/** A folder beside another, with links of every kind into it and within. */
function folderWithLinks(open: (path: string) => ContainedRoot) {
  const parent = mkdtempSync(join(tmpdir(), 'errand-files-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const [folder, outside] = [join(parent, 'folder'), join(parent, 'outside')];
  for (const path of [folder, outside, join(folder, 'dir'), join(folder, '.git')]) mkdirSync(path);
  writeFileSync(join(folder, 'dir/note.md'), 'inside');
  writeFileSync(join(folder, '.git/config'), 'inside');
  writeFileSync(join(outside, 'secret'), 'secret');
  execFileSync('mkfifo', [join(folder, 'pipe.md')]);
  const links = {
    'link.md': 'dir/note.md',
    linked: 'dir',
    'hidden.md': '.git/config',
    'out.md': '../outside/secret',
    out: outside,
    'nowhere.md': '../outside/new',
    'loop.md': 'loop.md',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  return { folder, outside, root: open(folder) };
}
