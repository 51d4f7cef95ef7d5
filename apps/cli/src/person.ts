import type { Elicitor } from '@errand/host';
import type { Terminal } from './terminal.ts';
import { terminalElicitor } from './terminal-elicitor.ts';
import { type TerminalNotifier, terminalNotifier } from './terminal-notifier.ts';

/** How the person at the terminal is told things and asked. */
export interface PersonPorts {
  readonly notifier: TerminalNotifier;
  /** Absent when nobody sits there. */
  readonly elicitor?: Elicitor;
}

/** The person at a terminal; what is drawn there meanwhile is taken away before they are addressed. */
export function personAt(terminal: Terminal, drawing?: { clear(): void }): PersonPorts {
  const elicitor = terminalElicitor(terminal, drawing);
  return { notifier: terminalNotifier(terminal, drawing), ...(elicitor && { elicitor }) };
}
