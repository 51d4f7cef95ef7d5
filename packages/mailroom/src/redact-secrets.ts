import type { Redaction } from './mail-board.ts';
import { redactCodes } from './redact-codes.ts';
import { redactKeys } from './redact-keys.ts';
import { redactLinks } from './redact-links.ts';
import { redactAccounts, redactCards } from './redact-numbers.ts';
import { redactPasswords } from './redact-passwords.ts';

/** A text without its secrets, and what was taken out. */
export interface RedactedText {
  readonly text: string;
  readonly redactions: readonly Redaction[];
}

type Kind = Redaction['kind'];

/**
 * The privacy gate: takes passwords, one-time codes, card and account numbers, keys and login links out of a text
 * before it is stored or shown to a model. It rather takes out too much: a person can read the mail itself.
 */
export function redactSecrets(text: string): RedactedText {
  const counts = new Map<Kind, number>();
  const cut = (kind: Kind) => () => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return `[${kind} removed]`;
  };
  // Characters that are not seen would hide a secret from every pattern below.
  let left = text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .normalize('NFKC');
  left = redactLinks(left, cut('link'));
  left = redactCards(left, cut('card'));
  left = redactAccounts(left, cut('account'));
  left = redactKeys(left, cut('key'));
  left = redactPasswords(left, cut('password'));
  left = redactCodes(left, cut('code'));
  return { text: left, redactions: [...counts].map(([kind, count]) => ({ kind, count })) };
}
