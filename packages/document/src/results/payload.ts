import { shortHash } from '../hash.ts';

/** A payload as it can stand in a note: LF line ends, no final one, no NUL, no escape sequences. */
export function normalizePayload(payload: string): string {
  return payload
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(ansiSequence, '')
    .replace(/\0/g, '')
    .replace(/\n+$/, '');
}

/** The `sum` of a payload. */
export function payloadSum(payload: string): string {
  return shortHash(payload.replace(/\n+$/, ''));
}

const esc = '\u001b';
const ansiSequence = new RegExp(
  `${esc}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${esc}]*(?:\\u0007|${esc}\\\\))`,
  'g',
);
