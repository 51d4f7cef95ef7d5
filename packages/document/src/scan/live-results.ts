import type { LiveResult } from './note-scan.ts';
import type { ResultMarker } from './scan-records.ts';

/** Pairs the marker lines that enclose live results. One without an end is a result of one line. */
export function pairResultMarkers(text: string, markers: readonly ResultMarker[]): LiveResult[] {
  const results: LiveResult[] = [];
  let open: ResultMarker | null = null;
  for (const marker of markers) {
    if (marker.kind === 'end') {
      if (open === null || open.container?.from !== marker.container?.from) continue;
      results.push(liveResult(text, open, marker));
      open = null;
    } else {
      if (open !== null) results.push(liveResult(text, open, null));
      open = marker;
    }
  }
  if (open !== null) results.push(liveResult(text, open, null));
  return results;
}

function liveResult(text: string, open: ResultMarker, end: ResultMarker | null): LiveResult {
  const header = text.slice(open.from, open.to);
  const comment = header.indexOf('<!-- mcp-result');
  const close = header.indexOf('-->', comment);
  return {
    form: open.kind === 'callout' ? 'callout' : 'markdown',
    from: open.from,
    to: end?.to ?? open.to,
    line: open.line,
    endLine: end?.line ?? open.line,
    headerTo: open.to,
    attributes: header
      .slice(comment + '<!-- mcp-result'.length, close < 0 ? undefined : close)
      .trim(),
    isClosed: end !== null,
    container: open.container,
  };
}
