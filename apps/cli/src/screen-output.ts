import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/**
 * Standard output when it is a terminal. What is shown there comes from servers and notes; a control
 * character in it could retitle the window, fill the clipboard or hide a line, so it is made visible.
 */
export function screenOutput(screen: Terminal['stdout']): Terminal['stdout'] {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      screen.write(typeof chunk === 'string' ? chunk.replace(controls, visible) : chunk, done);
    },
  });
  return Object.defineProperties(output, {
    isTTY: { value: true },
    // Windows are resized.
    columns: { get: () => screen.columns },
  });
}

/** All but tab and line ends. */
const controls = /(?![\t\r\n])[\p{Cc}]/gu;

/** Unicode has a picture for each of the old control characters. */
function visible(control: string): string {
  const code = control.charCodeAt(0);
  if (code === 0x7f) return '␡';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}
