import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { type Ended, patient, program, run, TestVault } from '../end-to-end/errand-process.ts';

const root = join(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
const note = '```fix\ntool: write\n```\n';

test(
  'a note that is marked read-only is refused, and its tool is not called',
  patient,
  async () => {
    using vault = openVault();
    chmodSync(vault.path('Note.md'), 0o444);
    expect(await vault.errand('run', 'Note.md')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Note.md is read-only, or its folder is'),
    });
    expect(vault.read('Note.md')).toBe(note);
    expect(calls(vault)).toBe(0);
  },
);

test.runIf(isRoot)(
  'in a vault that may only be read no tool is called, and nothing is harmed',
  patient,
  async () => {
    using vault = openVault();
    const { code, stderr } = await inNamespace(
      vault,
      `mount --bind "$VAULT" "$VAULT" && mount -o remount,bind,ro "$VAULT"`,
    );
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Note.md is read-only, or its folder is'),
    });
    expect(vault.read('Note.md')).toBe(note);
    expect(calls(vault)).toBe(0);
  },
);

test.runIf(isRoot)(
  'somebody who may not write the folder is refused before anything is called',
  patient,
  async () => {
    using vault = openVault();
    chmodSync(vault.folder, 0o555);
    // The superuser may write anywhere; the same user in a namespace of its own has only an owner's rights.
    const user = ['--user', '--map-user=65534', '--map-group=65534'];
    const args = [...user, process.execPath, program, 'run', 'Note.md'];
    const { code, stderr } = await run('unshare', args, vault);
    chmodSync(vault.folder, 0o755);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Note.md is read-only, or its folder is'),
    });
    expect(vault.read('Note.md')).toBe(note);
    expect(calls(vault)).toBe(0);
  },
);

test.runIf(isRoot)(
  'on a full disk the note stays as it was, and the answer is shown',
  patient,
  async () => {
    using vault = openVault();
    const copy = join(vault.folder, '../copy');
    cpSync(vault.folder, copy, { recursive: true });
    // What fits is the vault itself; the rest of the disk is one large file.
    const { code, stdout } = await inNamespace(
      vault,
      `mount -t tmpfs -o size=128k tmpfs "$VAULT" && cp -a "$VAULT/../copy/." "$VAULT" && (cat /dev/zero > "$VAULT/filler" 2> "$VAULT/../full" || true)`,
      `cp -a "$VAULT/." "$VAULT/../after"`,
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(/Note\.md cannot be written \(ENOSPC: no space left on device/);
    expect(stdout).toMatch(
      /could not be kept in the log either \(ENOSPC.*\)\. It is:\n +│ written\n/,
    );
    const after = join(vault.folder, '../after');
    expect(readFileSync(join(after, 'Note.md'), 'utf8')).toBe(note);
    expect(readdirSync(after).sort()).toEqual(['.errand', 'Note.md', 'filler']);
    expect(calls(vault)).toBe(1);
  },
);

function openVault(): TestVault {
  const vault = TestVault.trusted({ notes: { 'Note.md': note } });
  return vault.add(vault.scripted());
}

function calls({ journal }: TestVault): number {
  return readJournal(journal).filter(({ kind }) => kind === 'call').length;
}

/** Runs the note where the vault's disk is another; nobody outside sees that disk, and it goes by itself. */
function inNamespace(vault: TestVault, before: string, after = 'true'): Promise<Ended> {
  const script = `${before} && cd "$VAULT" && "$NODE" "$ERRAND" run Note.md; code=$?; ${after}; exit $code`;
  const env = { ...vault.env, VAULT: vault.folder, NODE: process.execPath, ERRAND: program };
  return run('unshare', ['--mount', 'sh', '-c', script], { folder: root, env });
}
