import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../testing/run-script.ts';
import { vaultFolder } from '../testing/vault-folder.ts';
import { changeNote } from './change-note.ts';
import { openVault } from './vault.ts';
import { vaultLock } from './vault-lock.ts';

const here = import.meta.dirname;
const lock = vaultLock(undefined);

test('makes a note and the folders above it, and leaves nothing else', async () => {
  const folder = vaultFolder();
  const changed = await changeNote(openVault(folder), lock, ['a', 'b', 'n.md'], (current) => {
    expect(current).toBeUndefined();
    return Buffer.from('text');
  });
  expect(changed).toMatchObject({ segments: ['a', 'b', 'n.md'], created: true });
  expect(readFileSync(join(folder, 'a/b/n.md'), 'utf8')).toBe('text');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['n.md']);
});

test('keeps the mode of a note and gives a new one the usual mode', async () => {
  const folder = vaultFolder({ 'private.md': 'one' });
  chmodSync(join(folder, 'private.md'), 0o640);
  await changeNote(openVault(folder), lock, ['private.md'], () => Buffer.from('two'));
  expect(statSync(join(folder, 'private.md')).mode & 0o777).toBe(0o640);
  await changeNote(openVault(folder), lock, ['new.md'], () => Buffer.from('two'));
  writeFileSync(join(folder, 'usual.md'), '');
  expect(statSync(join(folder, 'new.md')).mode).toBe(statSync(join(folder, 'usual.md')).mode);
});

test('does not touch a note that would stay the same', async () => {
  const folder = vaultFolder({ 'n.md': 'same' });
  const before = statSync(join(folder, 'n.md'), { bigint: true });
  await changeNote(openVault(folder), lock, ['n.md'], () => Buffer.from('same'));
  const { ctimeNs, ino } = statSync(join(folder, 'n.md'), { bigint: true });
  expect({ ctimeNs, ino }).toEqual({ ctimeNs: before.ctimeNs, ino: before.ino });
});

test('makes the change anew on top of what another program wrote meanwhile', async () => {
  const folder = vaultFolder({ 'n.md': 'one' });
  const seen: (string | undefined)[] = [];
  await changeNote(openVault(folder), lock, ['n.md'], (current) => {
    seen.push(current?.bytes.toString());
    if (seen.length === 1) writeFileSync(join(folder, 'n.md'), 'two');
    if (seen.length === 2) unlinkSync(join(folder, 'n.md'));
    if (seen.length === 3) writeFileSync(join(folder, 'n.md'), 'three');
    return Buffer.from(`${current?.bytes} and more`);
  });
  expect(seen).toEqual(['one', 'two', undefined, 'three']);
  expect(readFileSync(join(folder, 'n.md'), 'utf8')).toBe('three and more');
});

test('gives up on a note that never stops changing, and leaves nothing behind', async () => {
  const folder = vaultFolder({ 'n.md': '0' });
  let count = 0;
  const change = changeNote(openVault(folder), lock, ['n.md'], () => {
    writeFileSync(join(folder, 'n.md'), String(++count));
    return Buffer.from('mine');
  });
  await expect(change).rejects.toMatchObject({ code: 'conflict' });
  expect(readFileSync(join(folder, 'n.md'), 'utf8')).toBe(String(count));
  expect(readdirSync(folder)).toEqual(['n.md']);
});

test.each([
  ['on a disk with either spelling', 'Café.md'.normalize('NFC'), 'Café.md'.normalize('NFD')],
  ['the other way round', 'Café.md'.normalize('NFD'), 'Café.md'.normalize('NFC')],
])('finds an accented name %s', async (_, onDisk, asked) => {
  const folder = vaultFolder({ [onDisk]: 'one' });
  const changed = await changeNote(openVault(folder), lock, [asked], () => Buffer.from('two'));
  expect(changed.segments).toEqual([onDisk]);
  expect(readdirSync(folder)).toEqual([onDisk]);
  expect(readFileSync(join(folder, onDisk), 'utf8')).toBe('two');
});

test('refuses a new name that Windows cannot hold, but changes one that is there', async () => {
  const folder = vaultFolder({ 'why?.md': 'one' });
  const vault = openVault(folder);
  await changeNote(vault, lock, ['why?.md'], () => Buffer.from('two'));
  expect(readFileSync(join(folder, 'why?.md'), 'utf8')).toBe('two');
  for (const segments of [['what?.md'], ['con', 'n.md'], ['nul.md']]) {
    await expect(changeNote(vault, lock, segments, () => Buffer.from('x'))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  }
  expect(readdirSync(folder)).toEqual(['why?.md']);
});

test('leaves the note whole after the writer was killed at any moment', async () => {
  const folder = vaultFolder({ 'n.md': 'A'.repeat(1_000_000) });
  const cache = join(dirname(folder), 'cache');
  mkdirSync(cache);
  for (let round = 0; round < 12; round++) {
    const writer = runScript(here, writeForever, { VAULT: folder, CACHE: cache });
    await once(writer.stdout ?? writer, 'data');
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const text = readFileSync(join(folder, 'n.md'), 'utf8');
    expect(['A'.repeat(1_000_000), 'B'.repeat(1_000_000)]).toContain(text);
  }
  // A killed server's lock does not outlive it.
  const again = vaultLock(cache);
  await changeNote(openVault(folder), again, ['n.md'], () => Buffer.from('end'));
  expect(readFileSync(join(folder, 'n.md'), 'utf8')).toBe('end');
}, 60_000);

const writeForever = `
  const { changeNote } = await import('./change-note.ts');
  const { openVault } = await import('./vault.ts');
  const { vaultLock } = await import('./vault-lock.ts');
  const vault = openVault(process.env.VAULT);
  const lock = vaultLock(process.env.CACHE);
  for (let round = 0; ; round++) {
    const letter = round % 2 === 0 ? 'B' : 'A';
    await changeNote(vault, lock, ['n.md'], () => Buffer.from(letter.repeat(1_000_000)));
    if (round === 1) console.log('writing');
  }
`;

test('loses no line when two servers append to one note at once', async () => {
  const folder = vaultFolder({ 'log.md': '' });
  const cache = join(dirname(folder), 'cache');
  mkdirSync(cache);
  const writers = ['a', 'b'].map((NAME) =>
    runScript(here, appendLines, { VAULT: folder, CACHE: cache, NAME }),
  );
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
  expect(codes).toEqual([0, 0]);
  const lines = readFileSync(join(folder, 'log.md'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(80);
  expect(new Set(lines).size).toBe(80);
}, 60_000);

const appendLines = `
  const { changeNote } = await import('./change-note.ts');
  const { openVault } = await import('./vault.ts');
  const { vaultLock } = await import('./vault-lock.ts');
  const vault = openVault(process.env.VAULT);
  const lock = vaultLock(process.env.CACHE);
  for (let line = 0; line < 40; line++) {
    await changeNote(vault, lock, ['log.md'], (current) =>
      Buffer.concat([current.bytes, Buffer.from(process.env.NAME + line + '\\n')]));
  }
`;

test.each(['append', 'in place', 'rename'])(
  'loses no edit of an editor that saves (%s) while the note is changed',
  async (mode) => {
    const folder = vaultFolder({ 'n.md': 'begin\n' });
    const editor = runScript(here, editNote, { NOTE: join(folder, 'n.md'), MODE: mode });
    const ended = once(editor, 'exit');
    let isRunning = true;
    void ended.then(() => {
      isRunning = false;
    });
    const vault = openVault(folder);
    for (let count = 0; isRunning; count++) {
      const line = Buffer.from(`v${count}\n`);
      await changeNote(vault, lock, ['n.md'], (current) =>
        Buffer.concat([line, current?.bytes ?? Buffer.of()]),
      ).catch((error: { readonly code?: string }) => expect(error.code).toBe('conflict'));
    }
    expect(await ended).toEqual([0, null]);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const lines = new Set(texts.join('\n').split('\n'));
    const lost = Array.from({ length: 150 }, (_, index) => `e${index}`).filter(
      (line) => !lines.has(line),
    );
    expect(lost).toEqual([]);
  },
  60_000,
);

const editNote = `
  const { appendFileSync, readFileSync, renameSync, writeFileSync } = await import('node:fs');
  const { setTimeout: sleep } = await import('node:timers/promises');
  const { NOTE, MODE } = process.env;
  for (let count = 0; count < 150; count++) {
    const line = 'e' + count + '\\n';
    if (MODE === 'append') appendFileSync(NOTE, line);
    else {
      const text = readFileSync(NOTE, 'utf8') + line;
      if (MODE === 'in place') writeFileSync(NOTE, text);
      else {
        writeFileSync(NOTE + '.new', text);
        renameSync(NOTE + '.new', NOTE);
      }
    }
    await sleep(Math.random() * 12);
  }
`;
