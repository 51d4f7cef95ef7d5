import type { Notifier } from '@errand/host';
import type { Terminal } from './terminal.ts';

/** Tells a person on standard error what happens, and what went wrong in the end. */
export interface TerminalNotifier extends Notifier {
  /** Writes a failure, without what a notice has said of it already. */
  tell(message: string): void;
}

const mostRemembered = 100;

/** Notices on standard error; what is drawn there meanwhile is taken away first. */
export function terminalNotifier(
  { stderr }: Terminal,
  drawing?: { clear(): void },
): TerminalNotifier {
  const told: string[] = [];
  return {
    notify({ message, detail }) {
      drawing?.clear();
      const end = /[.!?:]$/.test(message) ? ' ' : '. ';
      stderr.write(`${detail === undefined ? message : message + end + detail}\n`);
      told.push(detail ?? message);
      // A gateway runs for days; what is told twice is told soon after.
      if (told.length > mostRemembered) told.shift();
    },
    tell(message) {
      drawing?.clear();
      const known = told.find((each) => message.startsWith(each)) ?? '';
      const news = message.slice(known.length).trim();
      if (news !== '') stderr.write(`${news}\n`);
    },
  };
}
