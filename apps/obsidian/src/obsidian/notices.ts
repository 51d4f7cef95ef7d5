import type { Notifier } from '@errand/host';
import { noticeText } from '@errand/workspace/advice';
import { Notice } from 'obsidian';
import { describeThrown, obsidianAdvice } from '../text/advice.ts';

/** How long a notice stays; an error stays longest. */
const shownFor = { info: 5_000, warning: 10_000, error: 15_000 } as const;

/** Notices that may still be on the screen, by message. */
const shown = new Map<string, Notice>();

/** Shows notices in Obsidian. A repeated message replaces the earlier one. */
export const notices: Notifier = {
  notify({ level, ...notice }) {
    const { message } = notice;
    for (const [text, { containerEl }] of shown) if (!containerEl.isConnected) shown.delete(text);
    shown.get(message)?.hide();
    shown.set(message, new Notice(noticeText(notice, obsidianAdvice), shownFor[level]));
  },
};

/** Shows a failure as a notice. */
export function showFailure(error: unknown): void {
  notices.notify({ level: 'error', message: describeThrown(error) });
}
