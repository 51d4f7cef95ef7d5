import { around, cutRanges, matchesWithin, type TextRange } from './redact-near.ts';

// What stands between the groups of a number: also a line end, with the marks of a quoted mail.
const gap = String.raw`(?:[ \u00a0\t./–—-]{1,3}|[ \t]{0,3}\n[>\s]{0,6})`;

const cardNumbers = [
  String.raw`(?<![\d.,])\d(?:[ \u00a0.-]?\d){12,18}(?!\d)`,
  String.raw`(?<!\d)\d{13,19}(?!\d)`,
  String.raw`(?<!\d)\d{4}(?:${gap}\d{4}){3}(?!\d)`,
  String.raw`(?<!\d)\d{8}${gap}\d{8}(?!\d)`,
  String.raw`(?<!\d)3\d{3}${gap}\d{6}${gap}\d{4,5}(?!\d)`,
].map((source) => new RegExp(source, 'g'));

/** A text with each card number replaced. */
export function redactCards(text: string, cut: () => string): string {
  let left = text;
  for (const pattern of cardNumbers) {
    left = cutRanges(left, acceptedMatches(left, pattern, cardLength), cut);
  }
  return left;
}

/**
 * What of each match is accepted, by its length. The search goes on behind that, or behind the first character where
 * nothing is: a match may hold the beginning of what is looked for.
 */
function acceptedMatches(
  text: string,
  pattern: RegExp,
  acceptedLength: (found: string) => number,
): readonly TextRange[] {
  const ranges: TextRange[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const from = match.index;
    const to = from + acceptedLength(match[0]);
    if (to > from) ranges.push({ from, to });
    pattern.lastIndex = Math.max(to, from + 1);
  }
  return ranges;
}

/** The length of a card number; 0 for another number. */
function cardLength(text: string): number {
  const digits = text.replace(/\D/g, '');
  // No card begins with another digit; numbers of orders often do.
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits)) return 0;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 ? text.length : 0;
}

const iban =
  /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:(?:[ \u00a0.-]|\n[> ]{0,6})?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])/g;

/** Words for the number of an account that is no IBAN. */
const accountWord =
  /(?<![\p{L}\d])(?:account ?(?:number|no\b\.?|nr\b\.?|#)|acct\.?|sort ?code|routing (?:number|no\b\.?|#)|konto(?:nummer|-?nr\b\.?)|kto\.?(?:-?nr\.?)?|blz|bankleitzahl|(?:numéro|n[o°º]) de compte|rib|n(?:úmero|umero|[°º]|úm\.) (?:de |di |del )?(?:cuenta|conto)|ccc)(?![\p{L}\d])/giu;

const accountNumber =
  /(?<![\p{L}\d])(?=(?:[ -]?[A-Z0-9]){0,30}\d{3})[A-Z0-9]*\d(?:[ -]?[A-Z0-9]){4,29}(?![\p{L}\d])/gu;

/** A text with each account number replaced. */
export function redactAccounts(text: string, cut: () => string): string {
  const left = cutRanges(text, acceptedMatches(text, iban, ibanLength), cut);
  const ranges = around(left, accountWord, { before: 0, behind: 20 });
  return cutRanges(left, matchesWithin(left, [accountNumber], { ranges }), cut);
}

/** How many characters of a text are an IBAN: a word or a number behind it may look like a part of it. */
function ibanLength(found: string): number {
  const country = found.slice(0, 2).toUpperCase();
  const digits = Number(lengths.get(country) ?? 0);
  let end = 0;
  let compact = '';
  for (const character of found) {
    if (compact.length === digits) break;
    end += character.length;
    if (/[A-Za-z0-9]/.test(character)) compact += character.toUpperCase();
  }
  const isWhole = compact.length === digits && !/^[A-Za-z0-9]/.test(found.slice(end));
  return isWhole && isValid(compact) ? end : 0;
}

function isValid(compact: string): boolean {
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

/** How long an IBAN is, by its country. */
const lengths = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18
  FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20
  LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24
  SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(2)] as const),
);
