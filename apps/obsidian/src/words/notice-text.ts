import { escapeControls } from '@errand/document/display';
import type { Notice } from '@errand/host';
import { inObsidianWords } from './in-obsidian-words.ts';

/** Characters of a line and of a whole notice: more than one can read before it goes away hides the notes. */
const most = { line: 500, whole: 2_000 };

/** What a notice says in Obsidian: in its words, and never so long that it covers the screen. */
export function noticeText({ message, detail }: Pick<Notice, 'message' | 'detail'>): string {
  // Each by itself: advice is known by the end of a text.
  const parts = [message, ...(detail === undefined ? [] : [detail])].map(inObsidianWords);
  const lines = parts.join('\n').split('\n');
  return escapeControls(cut(lines.map((line) => cut(line, most.line)).join('\n'), most.whole));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()} …`;
}
