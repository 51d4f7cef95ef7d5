import type { Notifier } from '@errand/host';
import type { Terminal } from './terminal.ts';

/** Notices on standard error; what is drawn there meanwhile is taken away first. */
export function terminalNotifier({ stderr }: Terminal, drawing?: { clear(): void }): Notifier {
  return {
    notify({ message, detail }) {
      drawing?.clear();
      const end = /[.!?:]$/.test(message) ? ' ' : '. ';
      stderr.write(`${detail === undefined ? message : message + end + detail}\n`);
    },
  };
}
