import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeLeftOvers, temporaryFileIn } from './temporary-file.ts';

test('removes what a killed process left behind, and nothing that a living one writes', async () => {
  await using folder = await temporaryFolder();
  const program = `
    import { writeFileSync } from 'node:fs';
    import { temporaryFileIn } from ${JSON.stringify(import.meta.resolve('./temporary-file.ts'))};
    const { path } = temporaryFileIn(${JSON.stringify(folder.path)});
    writeFileSync(path, 'half');
    console.log(path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [said] = await once(child.stdout, 'data');
  const theirs = basename(String(said).trim());
  await using ours = temporaryFileIn(folder.path);
  await writeFile(ours.path, 'half');
  await writeFile(join(folder.path, '.errand-notes.tmp'), "a person's own");

  await removeLeftOvers(folder.path);
  const all = [theirs, basename(ours.path), '.errand-notes.tmp'];
  expect((await readdir(folder.path)).sort()).toEqual(all.sort());

  child.kill('SIGKILL');
  await ended;
  await removeLeftOvers(folder.path);
  expect(await readdir(folder.path)).not.toContain(theirs);
  expect(await readdir(folder.path)).toHaveLength(2);
});

test('removes what another machine left behind only when it is old', async () => {
  await using folder = await temporaryFolder();
  const foreign = join(folder.path, '.errand-00000000-1-000000000000.tmp');
  await writeFile(foreign, 'half');
  await removeLeftOvers(folder.path);
  expect(await readdir(folder.path)).toEqual([basename(foreign)]);
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(foreign, twoHoursAgo, twoHoursAgo);
  await removeLeftOvers(folder.path);
  expect(await readdir(folder.path)).toEqual([]);
});

test('removes a link that was planted under such a name, not what it leads to', async () => {
  await using folder = await temporaryFolder();
  const precious = join(folder.path, 'precious');
  await writeFile(precious, 'untouched');
  // A file of our own number that we are not writing.
  await using planned = temporaryFileIn('');
  const planted = basename(planned.path).replace(/[0-9a-f]{12}\.tmp$/, '000000000000.tmp');
  await symlink(precious, join(folder.path, planted));
  await removeLeftOvers(folder.path);
  expect(await readdir(folder.path)).toEqual(['precious']);
});
