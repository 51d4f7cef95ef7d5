import type { TextEdit } from '../edits.ts';
import type { Checkpoint } from './checkpoint.ts';
import { findFrontmatter } from './frontmatter.ts';
import { countLineEnds, lineEndBefore } from './lines.ts';
import type { Frontmatter, NoteScan } from './note-scan.ts';
import { readBlocks } from './read-blocks.ts';
import { assembleScan, firstCheckpoint } from './scan.ts';
import { countRecords, firstRecords, type RecordCounts, type ScanRecords } from './scan-records.ts';
import { Shift } from './shift.ts';

/**
 * The scan of a note after an edit, exactly as `scan` gives it. Only what the edit can have changed is read
 * again: from the last checkpoint before it to the first one behind it that stands as it did.
 */
export function rescan(previous: NoteScan, edit: TextEdit): NoteScan {
  const { text: oldText, resume } = previous;
  const [from, to] = edit.range;
  const text = oldText.slice(0, from) + edit.text + oldText.slice(to);
  const frontmatter = findFrontmatter(text);
  const before = hasSameExtent(previous.frontmatter, frontmatter)
    ? resume.checkpoints.filter(({ position }) => position < from)
    : [];
  const start = before.at(-1) ?? firstCheckpoint(text, frontmatter);

  const shift = new Shift(oldText, edit, text, lineOf(oldText, from, before.at(-1)));
  // A line whose end the edit touches may end elsewhere now: a CR there may have met an LF.
  const behind = resume.checkpoints.filter(
    (checkpoint) =>
      lineEndBefore(oldText, checkpoint.position) > to && !isUndecided(checkpoint, previous, to),
  );
  const known = behind.map((checkpoint) => shift.checkpoint(checkpoint));
  const records = firstRecords(resume.records, start.counts);
  const { distance } = resume;
  const {
    met,
    lastLine,
    checkpoints: reread,
  } = readBlocks(text, start, records, { distance, known });

  // The start is in `before` already and was noted again.
  const checkpoints = [...before.slice(0, -1), ...reread];
  const now = { records, checkpoints, distance };
  if (met === null) return assembleScan(text, lastLine, frontmatter, now);
  const found = countRecords(records);
  for (const kind of Object.keys(met.counts) as (keyof ScanRecords)[]) {
    const kept: { push(record: unknown): void } = records[kind];
    for (const record of resume.records[kind].slice(met.counts[kind]))
      kept.push(shift.record(record));
  }
  for (const checkpoint of known.slice(known.indexOf(met))) {
    checkpoints.push({ ...checkpoint, counts: moveCounts(checkpoint.counts, met.counts, found) });
  }
  return assembleScan(text, shift.line(previous.lineCount), frontmatter, now);
}

/** Whether the edit may change how the paragraph that is open there ends. */
function isUndecided(
  { leaf, counts }: Checkpoint,
  { text, resume }: NoteScan,
  to: number,
): boolean {
  if (leaf.kind !== 'paragraph' || leaf.at.from >= to) return false;
  if (leaf.at.lastFrom <= to || text[leaf.at.leftFrom] === '[') return true;
  const heading = resume.records.headings[counts.headings];
  return heading !== undefined && heading.from < to;
}

function hasSameExtent(before: Frontmatter | null, after: Frontmatter | null): boolean {
  return before?.to === after?.to;
}

function lineOf(text: string, at: number, before: Checkpoint | undefined): number {
  return (before?.line ?? 1) + countLineEnds(text, before?.position ?? 0, at);
}

function moveCounts(counts: RecordCounts, from: RecordCounts, to: RecordCounts): RecordCounts {
  return {
    headings: counts.headings - from.headings + to.headings,
    rules: counts.rules - from.rules + to.rules,
    fences: counts.fences - from.fences + to.fences,
    blockIds: counts.blockIds - from.blockIds + to.blockIds,
    comments: counts.comments - from.comments + to.comments,
    openers: counts.openers - from.openers + to.openers,
    markers: counts.markers - from.markers + to.markers,
  };
}
