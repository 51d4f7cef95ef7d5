import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCommand } from './own-command.ts';

test('is the name where the PATH has it, but not where only npx put it there', () => {
  const root = mkdtempSync(join(tmpdir(), 'errand-own-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const npx = join(root, '_npx/1/node_modules/.bin');
  const own = join(root, 'bin');
  for (const folder of [npx, own]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'greeter'), '', { mode: 0o755 });
  }
  const place = [process.execPath, process.argv[1]];
  expect(ownCommand('greeter', { PATH: [npx, own].join(delimiter) })).toEqual(['greeter']);
  expect(ownCommand('greeter', { PATH: npx })).toEqual(place);
  expect(ownCommand('greeter', { PATH: '' })).toEqual(place);
});
