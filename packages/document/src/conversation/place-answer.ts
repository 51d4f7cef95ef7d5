import { lineEnd, lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { type Conversation, findConversations, type Turn } from './find-conversations.ts';

/** An answer that is being written, as it was last seen. */
export interface AnswerInProgress {
  /** The text of the turn it answers. */
  readonly question: string;
  /** Which of the turns with that text it is, counted from 0, and how many there were. */
  readonly order: readonly [index: number, count: number];
  /** The assistant who answers. */
  readonly name: string;
  /** All of it that was written, with the note's line ends; empty before the first words. */
  readonly written: string;
}

/** Where an answer goes on, or why that is not certain. */
export type AnswerPosition =
  | {
      readonly kind: 'found';
      readonly at: number;
      readonly questionLine: number;
      /** What was written before stands there as it was. */
      readonly isIntact: boolean;
    }
  | { readonly kind: 'lost'; readonly message: string };

/**
 * Finds the place where an answer goes on, in a note that others may have changed meanwhile. What they
 * typed before, behind or in the middle of the answer stays where it is.
 */
export function placeAnswer(
  scan: NoteScan,
  answer: AnswerInProgress,
  assistants: readonly string[],
): AnswerPosition {
  const turns = findConversations(scan, assistants).flatMap(({ turns }) => turns);
  const question = findQuestion(turns, answer);
  const { written } = answer;
  if (written === '') {
    if (question === undefined) return lost('the question was changed or removed');
    return found(question.to, question, true);
  }
  const whole = occurrences(scan.text, written);
  const [only] = whole;
  const above = only === undefined ? undefined : questionBefore(turns, only);
  // An answer may begin as an older one does: it is told from it by its question, if that is there still.
  const isOwn = question === undefined || above?.text === answer.question;
  if (only !== undefined && whole.length === 1 && isOwn) {
    const end = only + written.length;
    const at = lineEnd(scan.text, end);
    return found(at, above, at === end);
  }
  const own = question && turns[turns.indexOf(question) + 1];
  if (question === undefined || own?.role !== 'assistant' || own.name !== answer.name) {
    return lost('the answer was changed or removed');
  }
  // Somebody worked on the answer itself: theirs stays, ours goes on behind it.
  return found(own.to, question, false);
}

/** A new answer to a turn of this note. */
export function answerTo(
  question: Turn,
  name: string,
  conversations: readonly Conversation[],
): AnswerInProgress {
  const twins = conversations
    .flatMap(({ turns }) => turns)
    .filter(({ role, text }) => role === 'user' && text === question.text);
  return {
    question: question.text,
    order: [twins.findIndex(({ from }) => from === question.from), twins.length],
    name,
    written: '',
  };
}

function findQuestion(turns: readonly Turn[], answer: AnswerInProgress): Turn | undefined {
  const [index, count] = answer.order;
  const twins = turns.filter(({ role, text }) => role === 'user' && text === answer.question);
  if (twins.length === count) return twins[index];
  // One came or went: only one that is the last of its kind can be told for certain.
  return twins.length === 1 ? twins[0] : undefined;
}

function found(at: number, question: Turn | undefined, isIntact: boolean): AnswerPosition {
  return { kind: 'found', at, questionLine: question?.line ?? 1, isIntact };
}

function questionBefore(turns: readonly Turn[], at: number): Turn | undefined {
  return turns.findLast(({ role, from }) => role === 'user' && from < at);
}

/** Where a text stands that begins a line. */
function occurrences(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (lineStart(text, at) === at) found.push(at);
  }
  return found;
}

function lost(what: string): AnswerPosition {
  const message = `The note was changed meanwhile and ${what}.`;
  return { kind: 'lost', message };
}
