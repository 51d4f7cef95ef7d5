import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalPicture } from './terminal-picture.ts';

const errand = join(import.meta.dirname, '../apps/cli/bin/errand.cjs');

/** The picture in the README of a note before and after a run, from what is really printed and written. */
export function makeRunPicture(): void {
  const vault = mkdtempSync(join(tmpdir(), 'errand-picture-'));
  const read = () => readFileSync(join(vault, 'Welcome.md'), 'utf8');
  const block = () => /```vault\n.*?(?=\n\nRun it)/s.exec(read())?.[0] ?? '';
  try {
    cpSync('examples/vault', vault, { recursive: true });
    const before = block();
    const options = { cwd: vault, encoding: 'utf8' } as const;
    const printed = spawnSync(process.execPath, [errand, 'run', 'Welcome.md'], options).stdout;
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
    writeFileSync('docs/pictures/run.svg', terminalPicture(lines));
  } finally {
    rmSync(vault, { recursive: true, force: true });
  }
}
