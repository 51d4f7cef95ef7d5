import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import { applyEdits, type TextEdit } from '../edits.ts';
import type { NoteContext } from '../note-context.ts';
import { afterLineEnd } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { scan } from '../scan/scan.ts';
import { textFence } from '../text-fence.ts';
import type { ConversationPosition } from './conversation-at.ts';
import { findConversations } from './find-conversations.ts';
import { type AnswerInProgress, placeAnswer } from './place-answer.ts';

/** What an answer goes on with: text made safe by `answerText`, or a `callBlock`. */
export interface AnswerPiece {
  readonly kind: 'text' | 'call';
  readonly text: string;
}

/** The edit that adds a part of an answer, or why there is none. */
type AnswerEdit =
  | {
      readonly kind: 'edit';
      readonly edit: TextEdit;
      /** The answer once the edit is made. */
      readonly answer: AnswerInProgress;
      readonly questionLine: number;
    }
  | { readonly kind: 'lost'; readonly message: string };

/** Facts that are not in the note. */
export interface ConversationContext extends NoteContext {
  readonly assistants: readonly string[];
}

/**
 * Adds a part to an answer, below what is written of it. Everything else in the note means afterwards what it
 * meant before; a part that would change that is written as plain text in a fence.
 */
export function writeAnswer(
  note: NoteScan,
  answer: AnswerInProgress,
  piece: AnswerPiece,
  context: ConversationContext,
): AnswerEdit {
  const place = placeAnswer(note, answer, context.assistants);
  if (place.kind === 'lost') return place;
  const { at, questionLine, isIntact } = place;
  for (const text of [piece.text, textFence(piece.text)]) {
    const added = withRoleLine(text, answer).replaceAll('\n', note.lineEnd);
    const below = hasTextBelow(note.text, at) ? note.lineEnd : '';
    const gap = note.lineEnd.repeat(2);
    const edit: TextEdit = { range: [at, at], text: `${gap}${added}${below}` };
    const isCall = piece.kind === 'call' && text === piece.text;
    if (isHarmful(note, edit, context, { calls: isCall ? 1 : 0, isFirst: answer.written === '' })) {
      continue;
    }
    const isGoingOn = isIntact && answer.written !== '';
    const written = isGoingOn ? `${answer.written}${gap}${added}` : added;
    return { kind: 'edit', edit, answer: { ...answer, written }, questionLine };
  }
  const message = `Nothing can be written below line ${questionLine}: a block or comment above it has no end. Close it, then ask again.`;
  return { kind: 'lost', message };
}

/**
 * An edit that adds a question to a conversation, or begins one; null where nothing can be added. A
 * role line without a question receives it. `startsOver` begins a new conversation.
 */
export function writeQuestion(
  note: NoteScan,
  question: string,
  { at, conversation }: ConversationPosition,
  context: ConversationContext,
  startsOver = false,
): TextEdit | null {
  const opening = startsOver && conversation !== null ? '#NewChat\n\n' : '';
  const last = conversation?.turns.at(-1);
  const isWaiting = last?.role === 'user' && last.text === '';
  const from = isWaiting ? last.from : at;
  const lead = isWaiting || note.text.slice(0, at).trim() === '' ? '' : note.lineEnd.repeat(2);
  for (const text of [`#User : ${question}`, `#User :\n\n${textFence(question)}`]) {
    const below = hasTextBelow(note.text, at) ? note.lineEnd : '';
    const added = `${lead}${`${opening}${text}`.replaceAll('\n', note.lineEnd)}${below}`;
    const edit: TextEdit = { range: [from, at], text: added };
    const change = { calls: 0, isFirst: !isWaiting };
    if (isHarmful(note, edit, context, change) || !leavesRoom(note, edit, context)) continue;
    if (isWhole(note, edit, context)) return edit;
  }
  return null;
}

function withRoleLine(text: string, { written, name }: AnswerInProgress): string {
  if (written !== '') return text;
  // A list or a fence must begin at the start of a line.
  const isPlain = /^[\p{L}\p{N}("'*_]/u.test(text) && !/^(?:\d+[.)]|[*_-](?:\s|[*_-]))/.test(text);
  return isPlain ? `#${name} : ${text}` : `#${name} :\n\n${text}`;
}

/** Whether text follows directly below a place, without a blank line between. */
function hasTextBelow(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const next = afterLineEnd(text, at);
  return /^[^\S\r\n]*\S/.test(text.slice(next, next + 1000));
}

/** Whether an insertion changes more of the note than what it adds. */
function isHarmful(
  before: NoteScan,
  edit: TextEdit,
  context: ConversationContext,
  { calls, isFirst }: { readonly calls: number; readonly isFirst: boolean },
): boolean {
  const after = scan(applyEdits(before.text, [edit]));
  const turns = (note: NoteScan) => countTurns(note, context);
  const blocks = (note: NoteScan) => findToolBlocks(note, context).length;
  const [from, to] = edit.range;
  const below = (note: NoteScan, start: number) =>
    JSON.stringify(
      [note.fences, note.headings, note.comments, note.math, note.liveResults].map((kind) =>
        kind
          .filter((span) => span.from >= start)
          .map((span) => [span.from - start, span.to - start]),
      ),
    );
  return (
    turns(after) !== turns(before) + (isFirst ? 1 : 0) ||
    blocks(after) !== blocks(before) + calls ||
    after.headings.length !== before.headings.length ||
    below(after, from + edit.text.length) !== below(before, to)
  );
}

/** Whether all that an edit adds is of the question: a rule in it would end it. */
function isWhole(before: NoteScan, edit: TextEdit, { assistants }: ConversationContext): boolean {
  const after = scan(applyEdits(before.text, [edit]));
  const end = edit.range[0] + edit.text.trimEnd().length;
  const turns = findConversations(after, assistants).flatMap(({ turns }) => turns);
  return turns.some(({ role, from, to }) => role === 'user' && from < end && end <= to);
}

/** Whether an answer can follow: a question may open a block or comment that would hide it. */
function leavesRoom(before: NoteScan, edit: TextEdit, context: ConversationContext): boolean {
  const gap = before.lineEnd.repeat(2);
  const followed = { ...edit, text: `${edit.text}${gap}#User : next${gap}` };
  const [without, withNext] = [edit, followed].map((each) =>
    countTurns(scan(applyEdits(before.text, [each])), context),
  );
  return withNext === (without ?? 0) + 1;
}

function countTurns(note: NoteScan, { assistants }: ConversationContext): number {
  return findConversations(note, assistants).flatMap(({ turns }) => turns).length;
}
