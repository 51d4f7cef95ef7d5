import { expect, test } from 'vitest';
import { findRescanFlaws } from '../testing/find-flaws.ts';
import { isAsScanned } from '../testing/rescan-flaw.ts';
import { rescan } from './rescan.ts';
import { scan, scanWithDistance } from './scan.ts';

test('equals a full scan, for random edits of hostile notes', () => {
  expect(findRescanFlaws(1, 200)).toEqual([]);
}, 120_000);

test('equals a full scan, for small edits at every offset of a note', () => {
  const part =
    '- a ^x\n  b\n\n> ```c\n> d\ne ^y\nf\n===\n[g]: /h\n---\n~~~\ni\n~~~\n^z\n1. j\n   - k\n\n<!-- l\n-->\r\n';
  const before = scanWithDistance(part.repeat(2), 1);
  const wrong: unknown[] = [];
  for (let from = 0; from <= before.text.length; from++) {
    for (const edit of [
      { range: [from, from], text: '#' },
      { range: [from, from], text: '\r\n' },
      { range: [from, from], text: '\r' },
      { range: [from, Math.min(from + 3, before.text.length)], text: '' },
    ] as const) {
      if (!isAsScanned(rescan(before, edit))) wrong.push(edit);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('sees that an edit far above opens or closes a fence', () => {
  const tail = Array.from({ length: 400 }, (_, index) => `# h${index}\n\ntext\n\n`).join('');
  const open = rescan(scan(`intro\n\n${tail}`), { range: [0, 0], text: '```\n' });
  expect(open.headings).toEqual([]);
  const closed = rescan(open, { range: [0, 4], text: '' });
  expect(closed.headings).toHaveLength(400);
});

test('reads again no more than the part that the edit touched', () => {
  const unit = '## Heading\n\nA paragraph of text.\n\n```a\nb\n```\n\n';
  const before = scan(unit.repeat(2_000));
  const after = rescan(before, { range: [unit.length * 1_000, unit.length * 1_000], text: 'x' });
  // What lies before the edit is the very same objects, and nearly all behind it was moved, not read.
  expect(after.headings[999 - 20]).toBe(before.headings[999 - 20]);
  expect(after.headings).toHaveLength(2_000 - 1);
  expect(after.headings.at(-1)).toEqual({
    ...before.headings.at(-1),
    from: (before.headings.at(-1)?.from ?? 0) + 1,
    to: (before.headings.at(-1)?.to ?? 0) + 1,
  });
});

test('follows frontmatter that appears, changes and goes', () => {
  let known = scan('a: b\n---\n# h\n');
  known = rescan(known, { range: [0, 0], text: '---\n' });
  expect(known.frontmatter?.endLine).toBe(3);
  expect(known.headings.map(({ line }) => line)).toEqual([4]);
  known = rescan(known, { range: [4, 4], text: 'x: y\n' });
  expect(known.headings.map(({ line }) => line)).toEqual([5]);
  known = rescan(known, { range: [0, 1], text: '' });
  expect(known.frontmatter).toBeNull();
});
