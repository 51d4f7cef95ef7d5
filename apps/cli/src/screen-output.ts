import { Writable } from 'node:stream';
import { harmlessText } from '@errand/host/words';
import type { Terminal } from './terminal.ts';

/** Standard output when it is a terminal: what is shown there comes from servers and notes. */
export function screenOutput(screen: Terminal['stdout']): Terminal['stdout'] {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      screen.write(typeof chunk === 'string' ? harmlessText(chunk) : chunk, done);
    },
  });
  return Object.defineProperties(output, {
    isTTY: { value: true },
    // Windows are resized.
    columns: { get: () => screen.columns },
  });
}
