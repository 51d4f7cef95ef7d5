import { scan } from '@errand/document';
import { expect, test } from 'vitest';
import { NoteScans } from './note-scans.ts';

const note = '# One\n\n```mcp\ntool: a\n```\n\n# Two\n';

test('reads a text once, however often it is asked for', () => {
  const scans = new NoteScans();
  const first = scans.of('a.md', note);
  expect(scans.of('a.md', note.slice())).toBe(first);
  expect(scans.reads).toBe(1);
});

test('equals a first scan after a change', () => {
  const scans = new NoteScans();
  scans.of('a.md', note);
  for (const text of [note.replace('tool: a', 'tool: ab'), '', `Above\n${note}`, note]) {
    const { fences, headings } = scans.of('a.md', text);
    expect({ fences, headings }).toEqual({
      fences: scan(text).fences,
      headings: scan(text).headings,
    });
  }
});

test('forgets the notes that were not shown for the longest', () => {
  const scans = new NoteScans();
  const first = scans.of('first.md', note);
  for (let count = 0; count < 60; count += 1) scans.of(`${count}.md`, note);
  expect(scans.of('first.md', note)).not.toBe(first);
  const last = scans.of('59.md', note);
  expect(scans.of('59.md', note)).toBe(last);
});
