import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeLeftovers, temporaryFileIn, temporaryName } from './temporary-file.ts';

test('removes what a killed process left behind, and nothing that a living one writes', async () => {
  const folder = await temporaryFolder();
  const program = `
    import { writeFileSync } from 'node:fs';
    import { temporaryFileIn } from ${JSON.stringify(import.meta.resolve('./temporary-file.ts'))};
    const { path } = temporaryFileIn({ at: (name) => ${JSON.stringify(folder.path)} + '/' + name });
    writeFileSync(path, 'half');
    console.log(path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [said] = await once(child.stdout, 'data');
  const theirs = basename(String(said).trim());
  using ours = temporaryFileIn(folder);
  await writeFile(ours.path, 'half');
  await writeFile(join(folder.path, '.errand-notes.tmp'), "a person's own");

  removeLeftovers(folder);
  const all = [theirs, basename(ours.path), '.errand-notes.tmp'];
  expect((await readdir(folder.path)).sort()).toEqual(all.sort());

  child.kill('SIGKILL');
  await ended;
  removeLeftovers(folder);
  expect(await readdir(folder.path)).not.toContain(theirs);
  expect(await readdir(folder.path)).toHaveLength(2);
});

test('removes nothing that an earlier instance in the same process still writes', async () => {
  const folder = await temporaryFolder();
  using ours = temporaryFileIn(folder);
  await writeFile(ours.path, 'half');
  // A plugin that is loaded again has modules of its own.
  const again: typeof import('./temporary-file.ts') = await import(
    `${'./temporary-file.ts'}?again`
  );
  expect(again.removeLeftovers).not.toBe(removeLeftovers);
  again.removeLeftovers(folder);
  expect(await readdir(folder.path)).toEqual([ours.name]);
});

test('removes what another machine left behind only when it is old', async () => {
  const folder = await temporaryFolder();
  const foreign = join(folder.path, '.errand-00000000-1-000000000000.tmp');
  await writeFile(foreign, 'half');
  removeLeftovers(folder);
  expect(await readdir(folder.path)).toEqual([basename(foreign)]);
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(foreign, twoHoursAgo, twoHoursAgo);
  removeLeftovers(folder);
  expect(await readdir(folder.path)).toEqual([]);
});

test('removes a link that was planted under such a name, not what it leads to', async () => {
  const folder = await temporaryFolder();
  const precious = join(folder.path, 'precious');
  await writeFile(precious, 'untouched');
  // A file of our own number that we are not writing.
  await symlink(precious, join(folder.path, temporaryName()));
  removeLeftovers(folder);
  expect(await readdir(folder.path)).toEqual(['precious']);
});

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'errand-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return { path, at: (name: string) => `${path}/${name}` };
}
