import { escapeControls } from '@errand/document/display';
import type { Notice } from '@errand/host';
import { noticeParts } from '@errand/workspace/advice';
import { shorten } from '@errand/workspace/text';
import { obsidianAdvice } from './advice.ts';

/** Most characters of a line and of a notice, so that it does not cover the notes. */
const most = { line: 500, whole: 2_000 };

/** Renders a notice, shortened so that it does not cover the screen. */
export function noticeText(notice: Pick<Notice, 'message' | 'detail' | 'advice'>): string {
  const { message, detail } = noticeParts(notice, obsidianAdvice);
  const lines = [message, ...(detail === undefined ? [] : [detail])].join('\n').split('\n');
  return escapeControls(
    shorten(lines.map((line) => shorten(line, most.line)).join('\n'), most.whole),
  );
}
