import { countLineEnds } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { countedLines } from './counted-lines.ts';
import type { Section } from './resolve-sections.ts';

/**
 * The line of a note on which a part of it can be marked: its heading, the line of its block id, the first
 * line of its range that is in no code block, or, for the whole note, the first line with text.
 */
export function shownAt(scan: NoteScan, { kind, title, line, endLine }: Section): number {
  if (kind === 'note') return firstLine(scan);
  if (kind === 'heading') return line;
  if (kind === 'block') {
    const own = scan.blockIds.find(
      (each) => `^${each.id}` === title && each.line >= line && each.line <= endLine,
    );
    return own?.line ?? line;
  }
  return rangeStart(scan, line, endLine);
}

/** A range is counted without results. */
function rangeStart(scan: NoteScan, first: number, last: number): number {
  const counted = countedLines(scan);
  let start: number | undefined;
  for (let line = first; line <= scan.lineCount && counted(line) <= last; line++) {
    if (counted(line) < first) continue;
    start ??= line;
    if (!scan.fences.some((fence) => fence.line <= line && line <= fence.endLine)) return line;
  }
  return start ?? first;
}

/** The first line with text below the frontmatter; of a note without any, the line where it would be. */
function firstLine({ text, frontmatter }: NoteScan): number {
  const from = frontmatter?.to ?? 0;
  const above = frontmatter?.endLine ?? 1;
  const word = /\S/g;
  word.lastIndex = from;
  const found = word.exec(text);
  if (found === null) return frontmatter === null ? 1 : above + 1;
  return above + countLineEnds(text, from, found.index);
}
