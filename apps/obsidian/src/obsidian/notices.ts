import type { Notifier } from '@errand/host';
import { Notice } from 'obsidian';
import { describeThrown } from '../text/advice.ts';
import { noticeText } from '../text/notice-text.ts';

/** A failure is read before it goes away. */
const shownFor = { info: 5_000, warning: 10_000, error: 15_000 } as const;

/** Those that may still be on the screen, by their message. */
const shown = new Map<string, Notice>();

/** Tells a person through Obsidian's notices. What is told again takes the place of what was told before. */
export const notices: Notifier = {
  notify({ level, ...notice }) {
    const { message } = notice;
    for (const [text, { containerEl }] of shown) if (!containerEl.isConnected) shown.delete(text);
    shown.get(message)?.hide();
    shown.set(message, new Notice(noticeText(notice), shownFor[level]));
  },
};

/** Tells a person that something they asked for did not work. */
export function showFailure(error: unknown): void {
  notices.notify({ level: 'error', message: describeThrown(error) });
}
