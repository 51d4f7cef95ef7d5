import { applyEdits, type TextEdit } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { definition } from './neutral-text.ts';
import { expandTabs, missingEnd, neutralize, oddFormulas, outsideFences } from './neutralize.ts';
import { normalizePayload } from './payload.ts';

/**
 * A payload that is written live and unchanged. What would reach beyond the result, a construct that is left open
 * or a definition of a link, is neutralised all the same.
 */
export function framedPayload(raw: string): string {
  const payload = expandTabs(normalizePayload(raw));
  // Frontmatter can only begin on the first line.
  const text = `\n${payload}`;
  const { fences } = scan(text);
  const edits = [
    ...outsideFences(text, fences, /%(?=%)/g, '%\\'),
    ...outsideFences(text, fences, definition, '').map(
      ({ range: [, to] }): TextEdit => ({ range: [to, to], text: '\\' }),
    ),
    ...oddFormulas(text, fences),
  ];
  const closed = applyEdits(text, edits) + missingEnd(fences);
  // HTML ends at a blank line.
  const framed = [closed, `${closed}\n`].find(isWhole);
  return framed?.slice(1) ?? neutralize(raw);
}

const start = '<!-- mcp-result -->';
const end = '<!-- /mcp-result -->';

/** Whether nothing in this payload, written after a line break, extends beyond its end. */
function isWhole(payload: string): boolean {
  const note = `${start}${payload}\n${end}`;
  const { liveResults, fences } = scan(`${note}\n\n\`\`\`\n\`\`\`\n`);
  const [only, ...others] = liveResults;
  const isFound = others.length === 0 && only?.isClosed === true && only.to === note.length;
  return isFound && fences.at(-1)?.from === note.length + 2;
}
