import type { Redaction } from './mail-board.ts';
import { redactCodes } from './redact-codes.ts';
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
  const cut = (kind: Kind) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return `[${kind} removed]`;
  };
  // Characters that are not seen would hide a secret from every pattern below.
  let left = text.replace(/[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g, '').normalize('NFKC');
  left = left.replace(privateKey, () => cut('key'));
  left = left.replace(knownKey, () => cut('key'));
  left = left.replace(webAddress, (url) => (isLoginLink(url) ? cut('link') : url));
  left = left.replace(longNumber, (number) => (isCard(number) ? cut('card') : number));
  left = left.replace(iban, (number) => (isIban(number) ? cut('account') : number));
  left = redactPasswords(left, () => cut('password'));
  left = redactCodes(left, () => cut('code'));
  return { text: left, redactions: [...counts].map(([kind, count]) => ({ kind, count })) };
}

const privateKey =
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;

/** Keys whose makers gave them a form. */
const knownKey =
  /\b(?:sk-[\w-]{16,}|(?:sk|pk|rk)_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{30,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|Bearer [\w.~+/-]{16,})/g;

const webAddress = /\bhttps?:\/\/[^\s<>"')\]]+/gi;

/** An address that lets whoever has it in: of a reset, a confirmation, a login without a password. */
function isLoginLink(url: string): boolean {
  return (
    /[?&#;/](?:[\w-]*(?:token|otp|magic|passcode|password|signature|secret|ticket|nonce)|auth|key|code|sig|hash|k|t)[=/][^&\s]{6,}/i.test(
      url,
    ) ||
    (/(?:reset|verif|confirm|activat|magic|invite|unlock|recover|sign-?in|log-?in|password|einladung|bestaetig|zuruecksetz|reinitialis|restablec|conferma)/i.test(
      url,
    ) &&
      /[\w-]{16,}/.test(url.replace(/^https?:\/\/[^/]*/, '')))
  );
}

const longNumber = /(?<![\d.,])\d(?:[ \u00a0.-]?\d){12,18}(?!\d)/g;

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  // No card begins with another digit; numbers of orders often do.
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const iban =
  /\b(?:[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}|[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]){11,30})\b/g;

function isIban(text: string): boolean {
  const compact = text.replace(/\s/g, '').toUpperCase();
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
