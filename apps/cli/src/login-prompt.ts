import { once } from 'node:events';
import type { LoginPrompt } from '@errand/oauth';
import { askLine, confirm } from './ask.ts';
import { browserOpener } from './browser-opener.ts';
import type { CommandContext } from './command-context.ts';

/** Shows login pages at the terminal, in the browser once the person agreed, and takes a pasted address. */
export function loginPrompt({ terminal, signal }: CommandContext): LoginPrompt {
  const { stdin, stderr } = terminal;
  return {
    async show(address) {
      const { host } = new URL(address);
      stderr.write(`You log in at ${host}. Go to:\n${address}\n`);
      const opener = stdin.isTTY && stderr.isTTY ? browserOpener(terminal) : undefined;
      if (opener === undefined) return;
      const isAgreed = await confirm(`Open ${host} in the browser?`, terminal, signal);
      if (isAgreed) opener.open(address);
    },
    ...(stdin.isTTY && {
      async pasted(over: AbortSignal) {
        for (;;) {
          const question = 'Or paste here the address the browser ended at: ';
          const line = await askLine(question, terminal, over);
          if (line !== undefined && line.trim() !== '') return line;
          // Who closes the input can still come back in the browser.
          if (line === undefined) await once(over, 'abort');
          over.throwIfAborted();
        }
      },
    }),
  };
}
