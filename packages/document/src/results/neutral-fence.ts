import type { TextEdit } from '../edits.ts';
import { afterLineEnd, lineEnd } from '../scan/lines.ts';
import type { Fence } from '../scan/note-scan.ts';

/** Edits after which programs only highlight or draw a fence. */
export function neutralFence(text: string, fence: Fence): readonly TextEdit[] {
  const infoFrom = fence.from + fence.length;
  const infoTo = lineEnd(text, infoFrom);
  const from = Math.min(afterLineEnd(text, infoTo), fence.to);
  const body = text.slice(from, fence.to);
  const edits: TextEdit[] = [];
  const isMarkedText = fence.info === '' || isHarmless(fence.info.toLowerCase(), body);
  if (!isMarkedText) edits.push({ range: [infoFrom, infoTo], text: 'text' });
  const query = (fence.container === null ? /^\s*(?=\$?=)/ : /^[\s>]*(?=\$?=)/).exec(body);
  if (query !== null) edits.push(insertion(from + query[0].length, '\\'));
  for (const { index } of body.matchAll(/<(?=%)/g)) edits.push(insertion(from + index + 1, ' '));
  for (const { index } of body.matchAll(/<(?=!--\s*\/?mcp-result)/g)) {
    edits.push({ range: [from + index, from + index + 1], text: '&lt;' });
  }
  return edits;
}

function insertion(at: number, text: string): TextEdit {
  return { range: [at, at], text };
}

/** Languages that programs only highlight. Any other may be executable. */
const coloured = new Set(
  (
    'text txt plain json jsonc yaml toml ini xml html css scss diff csv md markdown sql js javascript ts ' +
    'typescript jsx tsx python py bash sh shell zsh powershell c cpp csharp cs go rust java kotlin swift ruby php ' +
    'lua r perl scala haskell http graphql dockerfile makefile'
  ).split(' '),
);

function isHarmless(language: string, body: string): boolean {
  return language === 'mermaid' ? !loadingDiagram.test(body) : coloured.has(language);
}

/** A diagram can hold HTML, addresses, styles and settings of its own, and so load a picture when it is drawn. */
const loadingDiagram =
  /[<\\&]|\/\/|#\w+;|@\{|%%\s*\{|^[\s>]*---[ \t]*$|\b(?:click|href|callback|url|import|link|img|icon)\b/im;
