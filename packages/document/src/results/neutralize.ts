import { applyEdits, type TextEdit } from '../edits.ts';
import { findFencesWithoutHtml } from '../scan/fences-without-html.ts';
import { lineEnd } from '../scan/lines.ts';
import type { Fence } from '../scan/note-scan.ts';

/**
 * A payload that may stand live in a note: it runs nothing, hides nothing and ends where it ends. Fences
 * of executable languages become text, HTML blocks, Templater commands, comments and our own markers are
 * shown instead of obeyed, and a fence that was left open is closed.
 */
export function neutralize(raw: string): string {
  const payload = expandTabs(raw);
  const { fences, htmlStarts } = findFencesWithoutHtml(payload);
  const edits: TextEdit[] = htmlStarts.map((from) => ({ range: [from, from + 1], text: '&lt;' }));
  for (const fence of fences) {
    if (!isHarmless(fence)) edits.push(relabel(payload, fence));
  }
  edits.push(...outsideFences(payload, fences, /%(?=%)/g, '%\\'));
  const formulas = outsideFences(payload, fences, /\$\$/g, '\\$\\$');
  if (formulas.length % 2 === 1) edits.push(...formulas);
  const open = fences.at(-1);
  const end =
    open?.isClosed === false && open.container === null
      ? `\n${open.marker.repeat(open.length)}`
      : '';
  return `${applyEdits(payload, edits)}${end}`
    .replace(/<(?=%)/g, '&lt;')
    .replace(/<(?=!--\s*\/?mcp-result)/g, '&lt;');
}

/** A tab's width depends on its column, and the result may stand indented: where it matters, spaces. */
function expandTabs(payload: string): string {
  if (!payload.includes('\t')) return payload;
  return payload.replace(/^[ \t>*+\-\d.)]*\t[ \t>*+\-\d.)]*/gm, (start) => {
    let expanded = '';
    for (const character of start) {
      expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character;
    }
    return expanded;
  });
}

/** Languages that programs only colour or draw. All others may be somebody's command. */
const harmless = new Set(
  (
    'text txt plain json jsonc yaml toml ini xml html css scss diff csv md markdown sql js javascript ts ' +
    'typescript jsx tsx python py bash sh shell zsh powershell c cpp csharp cs go rust java kotlin swift ruby php ' +
    'lua r perl scala haskell latex tex http graphql dockerfile makefile mermaid'
  ).split(' '),
);

function isHarmless({ info }: Fence): boolean {
  return info === '' || harmless.has(info.toLowerCase());
}

function relabel(payload: string, fence: Fence): TextEdit {
  const from = fence.from + fence.length;
  return { range: [from, lineEnd(payload, from)], text: 'text' };
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
