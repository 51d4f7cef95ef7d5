import { escapeControls } from '../display/escape-controls.ts';
import { shortHash } from '../hash.ts';

/** A payload as it can stand in a note: LF line ends, no final one, no NUL, no escape sequences. */
export function normalizePayload(payload: string): string {
  const text = payload.toWellFormed().replace(/\r\n?/g, '\n').replace(ansiSequence, '');
  return withoutFinalLineEnds(text.replaceAll('\0', ''));
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

const esc = '\u001b';
const ansiSequence = new RegExp(
  `${esc}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${esc}]*(?:\\u0007|${esc}\\\\))`,
  'g',
);
