import {
  type ConversationContext,
  conversationAt,
  findConversations,
  scan,
  type TextEdit,
  writeQuestion,
} from '@errand/document';

/** The cursor in a note; empty in reading view. */
export interface CursorPosition {
  /** The line of the cursor, counted from 1. */
  readonly line?: number;
  /** What is selected, as offsets. */
  readonly selection?: readonly [from: number, to: number];
}

/** What asking at the cursor means. */
export type QuestionPlan =
  /** Ask the unanswered question of the note, or the selected text. */
  | { readonly kind: 'ask'; readonly question?: string }
  /** The question has to be written first, after a role line. */
  | { readonly kind: 'write'; readonly edit: TextEdit | null; readonly cursor: number }
  | { readonly kind: 'impossible'; readonly message: string };

/** Decides what asking an assistant in a note means. */
export function planQuestion(
  text: string,
  { line, selection }: CursorPosition,
  context: ConversationContext,
): QuestionPlan {
  const note = scan(text);
  const conversations = findConversations(note, context.assistants);
  const place = conversationAt(note, conversations, line);
  const turns = place.conversation?.turns ?? [];
  const selected = selection && text.slice(...selection).trim();
  const isOfTurn =
    selection !== undefined &&
    turns.some(({ from, to }) => from <= selection[0] && selection[1] <= to);
  if (selected && !isOfTurn) return { kind: 'ask', question: selected };
  if (place.openTurn !== null) return { kind: 'ask' };
  const last = turns.at(-1);
  if (last?.role === 'user') return { kind: 'write', edit: null, cursor: last.textFrom };
  const edit = writeQuestion(note, '', place, context);
  if (edit === null) return { kind: 'impossible', message: unclosed };
  return {
    kind: 'write',
    edit,
    cursor: edit.range[0] + edit.text.indexOf(roleLine) + roleLine.length,
  };
}

const roleLine = '#User : ';

const unclosed =
  'No question can be written here: a block or comment above is not closed. Close it, then ask again.';
