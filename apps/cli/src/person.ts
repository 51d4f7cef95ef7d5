import type { Elicitor } from '@errand/host';
import { QuestionQueue } from '@errand/workspace/questions';
import type { Drawing } from './progress-line.ts';
import type { Terminal } from './terminal.ts';
import { terminalElicitor } from './terminal-elicitor.ts';
import { type TerminalNotifier, terminalNotifier } from './terminal-notifier.ts';

/** How the person at the terminal is told things and asked. */
export interface PersonPorts {
  readonly notifier: TerminalNotifier;
  /** One question at a time, whoever asks. */
  readonly questions: QuestionQueue;
  /** Absent when nobody sits there. */
  readonly elicitor?: Elicitor;
}

/** The person at a terminal; what is drawn there meanwhile is taken away before they are addressed. */
export function personAt(terminal: Terminal, drawing?: Drawing): PersonPorts {
  const questions = new QuestionQueue();
  const elicitor = terminalElicitor(terminal, questions, drawing);
  const notifier = terminalNotifier(terminal, drawing);
  return { notifier, questions, ...(elicitor && { elicitor }) };
}
