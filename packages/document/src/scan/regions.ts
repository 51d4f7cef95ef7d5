import { lastIndex } from '../last-index.ts';
import { countLineEnds } from './lines.ts';
import { pairResultMarkers } from './live-results.ts';
import type { Comment, LiveResult, Region, Span } from './note-scan.ts';
import type { ScanRecords } from './scan-records.ts';

/** The regions of a note whose blocks are plain text: Obsidian comments, formulas and live results, in order. */
interface Regions {
  readonly comments: readonly Comment[];
  readonly math: readonly Span[];
  readonly liveResults: readonly LiveResult[];
  readonly all: readonly RegionSpan[];
}

interface RegionSpan {
  readonly region: Region;
  readonly from: number;
  readonly to: number;
}

/** Pairs opening and closing marks. An unclosed comment runs to the end of the note; a formula must be closed. */
export function findRegions(text: string, records: ScanRecords): Regions {
  const comments: Comment[] = [];
  const math: Span[] = [];
  const liveResults: LiveResult[] = [];
  const all: RegionSpan[] = [];
  const results = pairResultMarkers(text, records.markers);
  const opaque = records.openers.some(({ kind }) => kind === 'math')
    ? [...records.fences, ...results].sort((a, b) => a.from - b.from)
    : [];
  const candidates = [...records.openers, ...results].sort((a, b) => a.from - b.from);

  let end = 0;
  let canFormulaEnd = true;
  for (const candidate of candidates) {
    const { from, line } = candidate;
    if (from < end) continue;
    if ('form' in candidate) {
      liveResults.push(candidate);
      all.push({ region: 'result', from, to: candidate.to });
      end = candidate.to;
    } else if (candidate.kind === 'comment') {
      const close = text.indexOf('%%', from + 2);
      end = close < 0 ? text.length : close + 2;
      const endLine = line + countLineEnds(text, from, end);
      comments.push({ kind: 'obsidian', from, to: end, line, endLine });
      all.push({ region: 'comment', from, to: end });
    } else if (canFormulaEnd) {
      const close = indexOutside(text, '$$', from + 2, opaque);
      canFormulaEnd = close >= 0;
      if (!canFormulaEnd) continue;
      end = close + 2;
      math.push({ from, to: end, line, endLine: line + countLineEnds(text, from, end) });
      all.push({ region: 'math', from, to: end });
    }
  }
  return { comments, math, liveResults, all };
}

/** Finds the region of each block; offsets must increase from call to call. */
export function regionFinder(regions: readonly RegionSpan[]): (from: number) => Region | null {
  let next = 0;
  return (from) => {
    for (; next < regions.length; next++) {
      const span = regions[next];
      if (span === undefined || from < span.from) return null;
      if (from < span.to) return span.region;
    }
    return null;
  };
}

/** The next occurrence of the string outside fences and results. */
function indexOutside(
  text: string,
  string: string,
  start: number,
  opaque: readonly Span[],
): number {
  let at = text.indexOf(string, start);
  let next = lastIndex(opaque, ({ to }) => to <= start) + 1;
  while (at >= 0) {
    let span = opaque[next];
    while (span !== undefined && span.to <= at) span = opaque[++next];
    if (span === undefined || at < span.from) return at;
    at = text.indexOf(string, span.to);
  }
  return -1;
}
