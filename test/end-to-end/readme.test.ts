import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, TestVault } from './errand-process.ts';
import { shellCommands } from './shell-commands.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = shellCommands(readme);

test('the README shows the two commands and a tour', () => {
  expect(commands.length).toBeGreaterThan(5);
});

// One after the other, as a reader types them; installing and testing are what runs this already.
test('the commands of the README do what it says', { timeout: 120_000 }, async () => {
  using vault = new TestVault();
  const here = { folder: join(vault.folder, '..'), env: vault.env };
  const bin = join(root, 'node_modules/.bin');
  for (const { command, code } of commands) {
    if (command.includes('npm test')) continue;
    const typed = command
      .replace('npm ci && npm start', `npm --prefix ${root} start`)
      .replace('examples/vault', vault.folder)
      .replace('npx errand', join(bin, 'errand'));
    const ended = await run('sh', ['-c', typed], here);
    expect({ command, ...ended }).toMatchObject({ command, code });
  }
});
