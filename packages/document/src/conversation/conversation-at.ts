import { lineEnd } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { lastLineBeforeHeading, outlineOf, sectionAt } from '../sections/outline.ts';
import type { Conversation, Turn } from './find-conversations.ts';

/** The conversation at a position of a note, and where its next question goes. */
export interface ConversationPosition {
  /** The conversation there; null when a question would begin one. */
  readonly conversation: Conversation | null;
  /** The unanswered question at its end. */
  readonly openTurn: Turn | null;
  /** Where a new question goes. */
  readonly at: number;
}

/**
 * The conversation at a line, or else between the headings around it; without a line, the last of the note.
 * A new question goes above the next heading, whatever its level.
 */
export function conversationAt(
  scan: NoteScan,
  conversations: readonly Conversation[],
  line?: number,
): ConversationPosition {
  const outline = outlineOf(scan);
  const first = line === undefined ? 1 : (sectionAt(outline, line)?.heading.line ?? 1);
  const last = line === undefined ? scan.lineCount : lastLineBeforeHeading(outline, line, scan);
  const there = conversations.filter(({ turns }) => {
    const start = turns[0]?.line ?? 0;
    return first <= start && start <= last;
  });
  const around =
    line === undefined ? undefined : there.findLast(({ turns }) => (turns[0]?.line ?? 0) <= line);
  const conversation = around ?? there.at(-1) ?? null;
  const end = conversation?.turns.at(-1);
  const isOpen = end?.role === 'user' && end.text !== '';
  return {
    conversation,
    openTurn: isOpen ? end : null,
    at: end?.to ?? endOfText(scan, last),
  };
}

/** Where the last line with text ends, down to a line. */
function endOfText({ text }: NoteScan, lastLine: number): number {
  let end = lineEnd(text, 0);
  for (let line = 1; line < lastLine && end < text.length; line++) {
    end = lineEnd(text, text.startsWith('\r\n', end) ? end + 2 : end + 1);
  }
  return text.slice(0, end).trimEnd().length;
}
