import { lineEnd, lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { type Conversation, findConversations, type Turn } from './find-conversations.ts';

/** An answer that is being written, as of the last write. */
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

/** Where an answer continues, or why that is unclear. */
type AnswerPosition =
  | {
      readonly kind: 'found';
      readonly at: number;
      readonly questionLine: number;
      /** What was written before is unchanged. */
      readonly isIntact: boolean;
    }
  | { readonly kind: 'lost'; readonly message: string };

/**
 * Finds where an answer continues in a note that may have changed in the meantime. Text that others typed before,
 * after or inside the answer stays where it is.
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
  // An answer may begin like an older one; its question distinguishes them, if it still exists.
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
  // Somebody edited the answer: their text stays, and ours continues after it.
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
  // One was added or removed: only a single remaining one can be identified with certainty.
  return twins.length === 1 ? twins[0] : undefined;
}

function found(at: number, question: Turn | undefined, isIntact: boolean): AnswerPosition {
  return { kind: 'found', at, questionLine: question?.line ?? 1, isIntact };
}

function questionBefore(turns: readonly Turn[], at: number): Turn | undefined {
  return turns.findLast(({ role, from }) => role === 'user' && from < at);
}

/** The offsets where a text occurs at the start of a line. */
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
