import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';

/** What each note of the example vault is there to show. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'Welcome.md': ['success'],
  'Weekly review.md': ['success', 'success', 'success'],
  'Reading list.md': ['success', 'success'],
  'People/Ines.md': ['success', 'success'],
  'Projects/Garden office.md': ['success', 'success'],
  'Mistakes.md': [
    'error block_invalid',
    'error tool_not_found',
    'error yaml_invalid',
    'error invalid_params',
    'error block_invalid',
    'error tool_failed',
  ],
  'Kept by hand.md': ['refused output_edited'],
};

test(
  'every note of the example vault shows what it is there for, twice with the same text',
  patient,
  async () => {
    using vault = new TestVault();
    const names = Object.keys(shown);
    // The links in it stand below its answer, and another note tells their lines.
    await vault.errand('run', 'Welcome.md');
    const { code, json } = await vault.json('run', ...names);
    const runs = json as readonly Run[];
    expect(code).toBe(3);
    expect(
      Object.fromEntries(runs.map(({ note, results }) => [note, results.map(statusText)])),
    ).toEqual(shown);
    const texts = () => names.map((name) => vault.read(name));
    const before = texts();
    await vault.errand('run', ...names);
    expect(texts()).toEqual(before);
  },
);

test('no note with a block in it is forgotten here', () => {
  using vault = new TestVault();
  const notes = readdirSync(vault.folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && /^```(vault|mcp)/m.test(vault.read(path)),
  );
  expect(notes.sort()).toEqual(Object.keys(shown).sort());
});

interface Run {
  readonly note: string;
  readonly results: readonly Result[];
}
interface Result {
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

function statusText({ status, error }: Result): string {
  return [status, error?.code].join(' ').trim();
}
