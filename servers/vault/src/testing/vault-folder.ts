import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a vault with these notes in a temporary folder that goes with the test. */
export function vaultFolder(notes: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const parent = mkdtempSync(join(tmpdir(), 'errand-vault-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'vault');
  mkdirSync(folder);
  for (const [path, content] of Object.entries(notes)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}
