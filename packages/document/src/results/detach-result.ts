import type { ToolBlock } from '../blocks/tool-block.ts';
import type { TextEdit } from '../edits.ts';
import { afterLineEnd, lineEnd, lineEndBefore, lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { isRemark } from './find-result.ts';

/** Turns the result of a block into the author's own text: keeps the content and removes the markers. */
export function detachResult({ text }: NoteScan, { result }: ToolBlock): readonly TextEdit[] {
  if (result === null) return [];
  const { form, from, to, isClosed } = result;
  const headerTo = lineEnd(text, from);
  if (form === 'fence') {
    const info = from + text.slice(from, headerTo).search(/mcp-(?:result|error)/);
    const remark = text.slice(info, headerTo).split(/\s+/).slice(1).filter(isRemark);
    return [{ range: [info, headerTo], text: ['text', ...remark].join(' ') }];
  }
  const header = withoutComment(text, from, headerTo);
  if (!isClosed) return [header];
  const endFrom = lineStart(text, to);
  const end = withoutComment(text, endFrom, to);
  // The line break before an end marker that stands alone goes with it.
  const last: TextEdit =
    end.range[1] >= to ? { range: [lineEndBefore(text, endFrom), to], text: '' } : end;
  // An empty live result is two lines that touch.
  if (header.range[1] > last.range[0]) return [{ range: [from, to], text: '' }];
  return [header, last];
}

/** Removes the comment of a line, and the line when nothing else stands on it. */
function withoutComment(text: string, from: number, to: number): TextEdit {
  const line = text.slice(from, to);
  const comment = / ?<!-- \/?mcp-result.*?-->/.exec(line);
  if (comment === null) return { range: [from, from], text: '' };
  const rest = line.slice(comment.index + comment[0].length);
  if (/^[ \t>]*$/.test(line.slice(0, comment.index)) && rest.trim() === '') {
    return { range: [from, Math.min(afterLineEnd(text, to), text.length)], text: '' };
  }
  return { range: [from + comment.index, to - rest.length], text: '' };
}
