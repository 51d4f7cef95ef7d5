import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalPicture } from './terminal-picture.ts';

// Makes the picture in the README from what the command really prints and really writes.
const errand = join(import.meta.dirname, '../apps/cli/bin/errand.cjs');
const vault = mkdtempSync(join(tmpdir(), 'errand-picture-'));
try {
  cpSync('examples/vault', vault, { recursive: true });
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [errand, ...args], { cwd: vault, encoding: 'utf8' }).stdout;
  const block = () => /```vault\n.*?(?=\n\nRun it)/s.exec(read('Welcome.md'))?.[0] ?? '';
  const before = block();
  const printed = run(['run', 'Welcome.md']);
  const lines = [
    '$ sed -n 9,12p Welcome.md',
    ...before.split('\n'),
    '',
    '$ errand run Welcome.md',
    ...printed.trimEnd().split('\n'),
    '',
    '$ sed -n 9,30p Welcome.md',
    ...block().split('\n'),
  ];
  writeFileSync('docs/images/run.svg', terminalPicture(lines));
} finally {
  rmSync(vault, { recursive: true, force: true });
}

function read(name: string): string {
  return readFileSync(join(vault, name), 'utf8');
}
