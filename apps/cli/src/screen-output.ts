import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { escapeControls } from '@errand/document/display';
import type { Paint, Tone } from './paint.ts';
import type { Terminal } from './terminal.ts';

/**
 * Standard output for people: what is shown comes from servers, notes and settings, and what is piped often ends
 * on a terminal too. Texts are escaped, which changes no JSON; bytes are left alone. A terminal that has colours
 * can be painted on.
 */
export function screenOutput(
  screen: Terminal['stdout'],
  env: Terminal['env'] = {},
): Terminal['stdout'] {
  // Colours are put in after escaping, in place of marks that no stranger's text can contain.
  const secret = randomUUID();
  const marks = new RegExp(`<${secret}:(\\d+)>`, 'g');
  const hasColour = hasColours(screen, env);
  const show = (text: string) => {
    const escaped = escapeControls(text);
    return hasColour ? escaped.replace(marks, '\u001b[$1m') : escaped;
  };
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      // The stream itself reports its error.
      screen.write(typeof chunk === 'string' ? show(chunk) : chunk, () => done());
    },
  });
  const paint = (tone: Tone, text: string) => `<${secret}:${colours[tone]}>${text}<${secret}:39>`;
  return Object.defineProperties(output, {
    isTTY: { value: screen.isTTY === true },
    // Windows are resized.
    columns: { get: () => screen.columns },
    ...(hasColour && { paint: { value: paint } }),
  });
}

/** Colours for standard error, whose texts are escaped by whoever writes them; undefined where it has none. */
export function errorPaint(screen: Terminal['stderr'], env: Terminal['env']): Paint | undefined {
  if (!hasColours(screen, env)) return undefined;
  return (tone, text) => `\u001b[${colours[tone]}m${text}\u001b[39m`;
}

function hasColours({ isTTY }: Terminal['stderr'], { NO_COLOR, TERM }: Terminal['env']): boolean {
  return isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

/** Codes of ECMA-48. */
const colours: Readonly<Record<Tone, number>> = { good: 32, accent: 36, warn: 33, bad: 31 };
