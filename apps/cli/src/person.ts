import type { Elicitor } from '@errand/host';
import { QuestionQueue } from '@errand/workspace/questions';
import type { Drawing } from './progress-line.ts';
import type { Terminal } from './terminal.ts';
import { terminalElicitor } from './terminal-elicitor.ts';
import { type TerminalNotifier, terminalNotifier } from './terminal-notifier.ts';

/** Notices and questions at the terminal. */
export interface PersonPorts {
  readonly notifier: TerminalNotifier;
  /** Serialises the questions of all callers. */
  readonly questions: QuestionQueue;
  /** Absent without a terminal. */
  readonly elicitor?: Elicitor;
}

/** Opens the ports of a terminal; a drawing is cleared before anything is written over it. */
export function personAt(terminal: Terminal, drawing?: Drawing): PersonPorts {
  const questions = new QuestionQueue();
  const elicitor = terminalElicitor(terminal, questions, drawing);
  const notifier = terminalNotifier(terminal, drawing);
  return { notifier, questions, ...(elicitor && { elicitor }) };
}
