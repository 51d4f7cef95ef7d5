import { isCompleteTagLine } from './html-tag.ts';

/**
 * Which of CommonMark's seven kinds of HTML block begins at `from` on the line that ends at `to`; 0 for none.
 * The seventh, any complete tag alone on its line, cannot interrupt a paragraph.
 */
export function htmlBlockKind(
  text: string,
  from: number,
  to: number,
  interruptsParagraph: boolean,
): number {
  const second = from + 1 < to ? text.charCodeAt(from + 1) : 0;
  if (second === exclamation) {
    if (text.startsWith('<!--', from)) return 2;
    if (text.startsWith('<![CDATA[', from)) return 5;
    return from + 2 < to && isLetter(text.charCodeAt(from + 2)) ? 4 : 0;
  }
  if (second === question) return 3;
  const isClosing = second === slash;
  if (!isClosing && !isLetter(second)) return 0;

  const nameFrom = from + (isClosing ? 2 : 1);
  // No block name is longer than ten letters, so twelve characters decide.
  const name =
    /^[a-z][a-z0-9]*/i.exec(text.slice(nameFrom, Math.min(to, nameFrom + 12)))?.[0] ?? '';
  const lower = name.toLowerCase();
  const next = nameFrom + name.length < to ? text[nameFrom + name.length] : undefined;
  const endsName = next === undefined || next === '>' || /\s/.test(next);
  if (!isClosing && endsName && rawTextNames.has(lower)) return 1;
  if (blockNames.has(lower)) {
    if (endsName) return 6;
    if (next === '/' && text[nameFrom + name.length + 1] === '>') return 6;
  }
  return !interruptsParagraph && isCompleteTagLine(text, from, to) ? 7 : 0;
}

/** Whether a line of an HTML block of kind 1 to 5 ends it. */
export function endsHtmlBlock(kind: number, line: string): boolean {
  return endings[kind]?.test(line) ?? false;
}

const exclamation = 33;
const slash = 47;
const question = 63;

const rawTextNames = new Set(['script', 'pre', 'textarea', 'style']);
const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);

const endings: Readonly<Record<number, RegExp>> = {
  1: /<\/(?:script|pre|textarea|style)>/i,
  2: /-->/,
  3: /\?>/,
  4: />/,
  5: /\]\]>/,
};

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
