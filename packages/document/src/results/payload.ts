import { escapeControls } from '../display/escape-controls.ts';
import { shortHash } from '../hash.ts';

/** A payload as it can stand in a note: LF line ends, no final one, no NUL, nothing that commands a terminal. */
export function normalizePayload(payload: string): string {
  const text = payload.toWellFormed().replace(/\r\n?/g, '\n').replace(terminalSequence, '');
  return withoutFinalLineEnds(overstruck(text).replaceAll('\0', ''));
}

/** The text as printed: a backspace takes back the character before it on its line. */
function overstruck(text: string): string {
  if (!text.includes('\b')) return text;
  const printed: string[] = [];
  for (const character of text) {
    if (character !== '\b') printed.push(character);
    else if (printed.length > 0 && printed.at(-1) !== '\n') printed.pop();
  }
  return printed.join('');
}

/** The same with every character spelled out that could hide or reorder text. */
export function visiblePayload(payload: string): string {
  return escapeControls(normalizePayload(payload));
}

/** The `sum` of a payload. */
export function payloadSum(payload: string): string {
  return shortHash(withoutFinalLineEnds(payload));
}

function withoutFinalLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  return text.slice(0, end);
}

/**
 * Sequences that terminals obey, in one pass: each match begins with ESC or a C1 control and takes at least that
 * character, so what is left cannot form another one. A string that was left open loses only its introducer.
 */
const terminalSequence = new RegExp(
  [
    // OSC, which BEL may end too, and DCS, SOS, PM and APC; a string ends before the next control.
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u0080-\u009f]*(?:\u001b\\|\u009c)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]`,
    String.raw`\u001b[ -\/]*[0-~]`,
    // NEL is a line end.
    String.raw`[\u001b\u0080-\u0084\u0086-\u009f]`,
  ].join('|'),
  'g',
);
