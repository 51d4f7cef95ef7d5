import type { ToolBlock } from '../blocks/tool-block.ts';
import type { TextEdit } from '../edits.ts';
import { afterLineEnd, lineEnd, lineEndBefore, lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';

/** Turns the result of a block into the author's own text: keeps the content and removes the markers. */
export function detachResult({ text }: NoteScan, { result }: ToolBlock): readonly TextEdit[] {
  if (result === null) return [];
  const { form, from, to, isClosed } = result;
  const headerTo = lineEnd(text, from);
  if (form === 'fence') {
    const info = from + text.slice(from, headerTo).search(/mcp-(?:result|error)/);
    return [{ range: [info, headerTo], text: 'text' }];
  }
  const end: TextEdit = { range: [lineEndBefore(text, lineStart(text, to)), to], text: '' };
  const comment = from + text.slice(from, headerTo).search(/ ?<!-- mcp-result/);
  const header: TextEdit =
    form === 'callout'
      ? { range: [comment, headerTo], text: '' }
      : { range: [from, Math.min(afterLineEnd(text, headerTo), text.length)], text: '' };
  // An empty live result is two lines that touch.
  if (isClosed && header.range[1] > end.range[0]) return [{ range: [from, to], text: '' }];
  return isClosed ? [header, end] : [header];
}
