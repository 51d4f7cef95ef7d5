import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const count = 10_000;
const perFolder = 100;

// The time only catches a hang: writing and removing so many files takes long on a busy disk.
const patient = { timeout: 300_000 };

test('a vault of 10,000 notes is listed, searched and followed', patient, async () => {
  await using large = await openTestWorkbench({ prepare: fill });
  const page = await large.open();
  const timed = async <Result>(what: string, work: () => Promise<Result>) => {
    const started = performance.now();
    const result = await work();
    console.log(`${what}: ${Math.round(performance.now() - started)} ms`);
    return result;
  };
  const list = () => page.get<{ notes: readonly string[] }>('/notes');
  expect((await timed('first list', list)).notes).toHaveLength(count);
  expect((await timed('list', list)).notes).toHaveLength(count);
  const search = () => page.get('/notes/search?query=ocelot');
  const hits = [{ path: 'Folder 7/Note 7.md', line: 3, excerpt: 'An ocelot.' }];
  expect(await timed('first search', search)).toEqual({ hits, isCut: false });
  expect(await timed('search', search)).toEqual({ hits, isCut: false });
  expect(await page.get('/notes/search?query=words')).toMatchObject({ isCut: true });
  using events = await page.follow();
  await page.get(`/note?path=${encodeURIComponent('Folder 9/Note 1.md')}`);
  await timed('told of a change', async () => {
    await large.writeNote('Folder 9/Note 1.md', 'changed');
    await events.until('note-changed');
  });
  await timed('told of a new note', async () => {
    await large.writeNote('Folder 9/New.md', 'new');
    await events.until('notes-changed');
  });
});

function fill(vault: string): void {
  const text = `# Note\n\n${'Some words of text. '.repeat(50)}\n`;
  for (let folder = 0; folder < count / perFolder; folder += 1) {
    const path = join(vault, `Folder ${folder}`);
    mkdirSync(path);
    for (let note = 0; note < perFolder; note += 1) {
      writeFileSync(join(path, `Note ${note}.md`), text);
    }
  }
  writeFileSync(join(vault, 'Folder 7/Note 7.md'), '# Rare\n\nAn ocelot.\n');
}
