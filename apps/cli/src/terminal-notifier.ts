import type { Notifier } from '@errand/host';
import { messageText } from './message-text.ts';
import type { Terminal } from './terminal.ts';

/** Tells a person on standard error what happens, and what went wrong in the end. */
export interface TerminalNotifier extends Notifier {
  /** Writes a failure, without what the last notice has said of it already. */
  tell(message: string): void;
}

/** Notices on standard error; what is drawn there meanwhile is taken away first. */
export function terminalNotifier(
  { stderr }: Terminal,
  drawing?: { clear(): void },
): TerminalNotifier {
  let lastTold = '';
  const write = (text: string) => {
    drawing?.clear();
    stderr.write(messageText(text, stderr));
  };
  return {
    notify({ message, detail }) {
      const end = /[.!?:]$/.test(message) ? ' ' : '. ';
      write(detail === undefined ? message : message + end + detail);
      lastTold = detail ?? message;
    },
    tell(message) {
      const news = message.startsWith(lastTold) ? message.slice(lastTold.length).trim() : message;
      if (news !== '') write(news);
    },
  };
}
