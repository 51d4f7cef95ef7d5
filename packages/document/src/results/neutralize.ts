import { applyEdits, type TextEdit } from '../edits.ts';
import { findFencesWithoutHtml } from '../scan/fences-without-html.ts';
import type { Fence } from '../scan/note-scan.ts';
import { neutralFence } from './neutral-fence.ts';
import { neutralText } from './neutral-text.ts';
import { paragraphsOf } from './paragraphs-of.ts';
import { visiblePayload } from './payload.ts';

/**
 * A text that may stand live in a note: it loads, runs and hides nothing, defines nothing for the rest of the note,
 * and ends where it ends. Pictures become links, HTML is shown, queries, templates, comments and our own markers
 * are broken, fences of executable languages become text, and a fence that was left open is closed. What was
 * neutralised before stays as it is.
 */
export function neutralize(raw: string): string {
  const payload = expandTabs(visiblePayload(raw));
  const { fences, htmlStarts } = findFencesWithoutHtml(payload);
  const edits: TextEdit[] = fences.flatMap((fence) => neutralFence(payload, fence));
  const blocks = new Set(htmlStarts);
  for (const paragraph of paragraphsOf(payload, fences)) {
    edits.push(...neutralText(payload, paragraph, blocks));
  }
  edits.push(...oddFormulas(payload, fences));
  return `${applyEdits(payload, edits)}${missingEnd(fences)}`;
}

/** A tab's width depends on its column, and the result may stand indented: where it matters, spaces. */
export function expandTabs(payload: string): string {
  if (!payload.includes('\t')) return payload;
  return payload.replace(/^[ \t>*+\-\d.)]*\t[ \t>*+\-\d.)]*/gm, (start) => {
    let expanded = '';
    for (const character of start) {
      expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character;
    }
    return expanded;
  });
}

/** A formula that was left open is none. */
export function oddFormulas(payload: string, fences: readonly Fence[]): readonly TextEdit[] {
  if (outsideFences(payload, fences, /\$\$/g, '').length % 2 === 0) return [];
  return outsideFences(payload, fences, /\$(?=\$)|(?<=\$)\$/g, '\\$');
}

/** The line that closes a fence left open at the end. */
export function missingEnd(fences: readonly Fence[]): string {
  const open = fences.at(-1);
  const lacksEnd = open?.isClosed === false && open.container === null;
  return lacksEnd ? `\n${open.marker.repeat(open.length)}` : '';
}

/** Edits of everything that a pattern finds outside of fences. */
export function outsideFences(
  payload: string,
  fences: readonly Fence[],
  pattern: RegExp,
  text: string,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let next = 0;
  for (const match of payload.matchAll(pattern)) {
    while ((fences[next]?.to ?? payload.length) < match.index) next++;
    if (match.index >= (fences[next]?.from ?? payload.length)) continue;
    edits.push({ range: [match.index, match.index + match[0].length], text });
  }
  return edits;
}
