/**
 * Spells out characters that could hide or reorder a text, such as `\u202e`: control and bidirectional characters,
 * invisible spaces and separators, tag characters. Tabs and line ends stay, and so do joiners, which scripts and
 * emoji need. In JSON the escapes mean the characters they stand for.
 */
export function escapeControls(text: string): string {
  return text.replace(hidden, (found) => (found.startsWith(blackFlag) ? found : spelledOut(found)));
}

const blackFlag = '\u{1F3F4}';

/** The flags of England, Scotland and Wales are the only emoji that are written with tag characters. */
const flag = /\u{1F3F4}[\u{E0061}-\u{E007A}]{5}\u{E007F}/u;
const character =
  /\u034F|\u17B4|\u17B5|(?![\t\n]|\r\n)[\p{Cc}\p{Bidi_Control}\u115F\u1160\u180E\u200B\u2028\u2029\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
const hidden = new RegExp(`${flag.source}|${character.source}`, 'gu');

function spelledOut(found: string): string {
  let spelled = '';
  for (let at = 0; at < found.length; at++) {
    spelled += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return spelled;
}
