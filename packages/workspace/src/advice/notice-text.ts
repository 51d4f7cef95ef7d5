import { escapeControls } from '@errand/document/display';
import type { Notice } from '@errand/host';
import { shorten } from '../text/shorten.ts';
import { type AdviceRenderer, noticeParts } from './describe-failure.ts';

/** Most characters of a line and of a notice, so that it does not cover the notes. */
const most = { line: 500, whole: 2_000 };

/** Renders a notice, shortened so that it does not cover the screen. */
export function noticeText(
  notice: Pick<Notice, 'message' | 'detail' | 'advice'>,
  renderer: AdviceRenderer,
): string {
  const { message, detail } = noticeParts(notice, renderer);
  const lines = [message, ...(detail === undefined ? [] : [detail])].join('\n').split('\n');
  return escapeControls(
    shorten(lines.map((line) => shorten(line, most.line)).join('\n'), most.whole),
  );
}
