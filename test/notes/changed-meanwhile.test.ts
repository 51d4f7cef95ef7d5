import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';
import { until } from './until.ts';

/** What another program does to a note while its tool works, and what becomes of the answer. */
const changes: Readonly<
  Record<string, { change(vault: TestVault, path: string): void; ends: string }>
> = {
  'Text before.md': {
    change: edit((text) => `Written above.\n\n${text}`),
    ends: 'success',
  },
  'Text after.md': {
    change: edit((text) => `${text}\nWritten below.\n`),
    ends: 'success',
  },
  'In the block.md': {
    change: edit((text) => text.replace('tool: wait', 'tool: wait # for long')),
    ends: 'refused note_changed',
  },
  'Block deleted.md': {
    change: edit((text) => text.replace(/```fix.*?```\n/s, 'Gone.\n')),
    ends: 'refused note_changed',
  },
  'Block doubled.md': {
    change: edit((text) => `${text.trimEnd()}\n\n${text}`),
    ends: 'refused note_changed',
  },
  'Renamed.md': {
    change: (vault, path) => renameSync(vault.path(path), vault.path('Elsewhere.txt')),
    ends: 'refused note_unreadable',
  },
  'Deleted.md': {
    change: (vault, path) => rmSync(vault.path(path)),
    ends: 'refused note_unreadable',
  },
};

test(
  'a note that another program changes while the tool works loses nothing and gets no misplaced result',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    const original = `Top.\n\n\`\`\`fix\ntool: wait\nfile: ${vault.path('go')}\n\`\`\`\n\nBottom.\n`;
    const names = Object.keys(changes);
    for (const name of names) writeFileSync(vault.path(name), original);
    using errand = vault.start('run', ...names, '--json');
    const calls = () => readJournal(vault.journal).filter(({ kind }) => kind === 'call');
    await until(() => calls().length === names.length);
    for (const [name, { change }] of Object.entries(changes)) change(vault, name);
    const changed = new Map(names.map((name) => [name, textOf(vault, name)]));
    writeFileSync(vault.path('go'), '');

    const { code, stdout } = await errand.ended;
    expect(code).toBe(3);
    const runs = JSON.parse(stdout) as readonly Run[];
    expect(runs.map(({ note, results: [result] }) => [note, statusText(result)])).toEqual(
      Object.entries(changes).map(([name, { ends }]) => [name, ends]),
    );
    for (const { note, results } of runs) {
      const before = changed.get(note);
      const after = textOf(vault, note);
      const isPlaced = results[0]?.status === 'success';
      // Without the result below the block, the note is what the other program made of it.
      expect(isPlaced ? after?.replace(placed, '$1') : after).toBe(before);
      if (isPlaced) expect(after).toMatch(placed);
      else expect(keptBy(vault, results[0])).toBe('it is there');
    }
    expect(existsSync(vault.path('Renamed.md'))).toBe(false);
    expect(readFileSync(vault.path('Elsewhere.txt'), 'utf8')).toBe(original);
    expect(readdirSync(vault.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
);

const placed = /(tool: wait\nfile: \S+\n```)\n\n```mcp-result [^\n]*\nit is there\n```/;

interface Run {
  readonly note: string;
  readonly results: readonly Result[];
}
interface Result {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

function edit(change: (text: string) => string) {
  return (vault: TestVault, path: string) =>
    writeFileSync(vault.path(path), change(vault.read(path)));
}

function textOf(vault: TestVault, name: string): string | undefined {
  return existsSync(vault.path(name)) ? vault.read(name) : undefined;
}

function statusText(result: Result | undefined): string {
  return [result?.status, result?.error?.code].join(' ').trim();
}

/** The message says where the result is, and there it is. */
function keptBy(vault: TestVault, result: Result | undefined): string {
  const [, path = ''] = /The result is kept in (\S+)$/.exec(result?.error?.message ?? '') ?? [];
  return vault.read(path);
}
