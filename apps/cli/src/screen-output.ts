import { Writable } from 'node:stream';
import { escapeControls } from '@errand/document/display';
import type { Terminal } from './terminal.ts';

/**
 * Standard output for people: what is shown comes from servers, notes and settings, and what is piped often ends
 * on a terminal too. Texts are escaped, which changes no JSON; bytes are left alone.
 */
export function screenOutput(screen: Terminal['stdout']): Terminal['stdout'] {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      // The stream itself reports its error.
      screen.write(typeof chunk === 'string' ? escapeControls(chunk) : chunk, () => done());
    },
  });
  return Object.defineProperties(output, {
    isTTY: { value: screen.isTTY === true },
    // Windows are resized.
    columns: { get: () => screen.columns },
  });
}
