import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, type Fence, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { patient, run, TestVault } from '../end-to-end/errand-process.ts';
import { shellCommands } from '../end-to-end/shell-commands.ts';
import { runNotes } from '../golden/run-notes.ts';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'docs/notes.md');
const manual = readFileSync(path, 'utf8');

/** A note of the manual before it is run, and, in the very next example, after. */
const examples = scan(manual).fences.filter(({ info }) => info.startsWith('markdown'));
const pairs = examples.flatMap((before, index) => {
  const after = examples[index + 1];
  return before.info === 'markdown before' && after !== undefined ? [{ before, after }] : [];
});

test('every example of the manual is a note that is run', () => {
  expect(pairs.length).toBeGreaterThan(10);
  expect(examples.map(({ info }) => info)).toEqual(
    pairs.flatMap(() => ['markdown before', 'markdown after']),
  );
});

test.for(pairs.map((pair) => ({ ...pair, line: pair.before.line })))(
  'the example on line $line becomes what the manual says',
  async ({ before, after }) => {
    const { notes } = await runNotes({ 'Note.md': textIn(before) });
    const written = notes['Note.md'] ?? '';
    // To accept a new text: UPDATE_GOLDEN=1 npm test -- test/notes/manual, then read the difference.
    if (process.env.UPDATE_GOLDEN === '1') accept(after, written);
    else expect(written).toBe(textIn(after));
  },
);

test('the commands of the manual do what it says', patient, async () => {
  using vault = new TestVault();
  const bin = `'${join(root, 'node_modules/.bin/errand')}'`;
  for (const { command, code } of shellCommands(manual)) {
    const ended = await run('sh', ['-c', command.replace(/^errand/, bin)], vault);
    expect({ command, ...ended }).toMatchObject({ command, code });
  }
});

function textIn({ from, to }: Fence): string {
  const lines = manual.slice(from, to).split('\n').slice(1, -1);
  return lines.map((line) => `${line}\n`).join('');
}

function accept(after: Fence, written: string): void {
  const now = readFileSync(path, 'utf8');
  // Examples before this one may have grown.
  const index = examples.indexOf(after);
  const fence = scan(now).fences.filter(({ info }) => info.startsWith('markdown'))[index];
  if (fence === undefined) throw new Error(`Example ${index} is gone.`);
  const longest = Math.max(3, ...[...written.matchAll(/`+/g)].map(([run]) => run.length));
  const marker = '`'.repeat(longest + 1);
  const text = `${marker}${fence.info}\n${written}${marker}`;
  writeFileSync(path, applyEdits(now, [{ range: [fence.from, fence.to], text }]));
}
