import { around, cutRanges, matchesWithin } from './redact-near.ts';

// Words for one-time codes and PINs; a number near one of them is one.
const codeWords =
  /(?<![\p{L}\d])(?:codici|codice|códigos?|codigos?|kod|koodi|(?:\p{L}{0,30})codes?|otps?|totp|2fa|mfa|two-factor|two-step|one-?time|pins?|pin-?nummer|puk|(?:mobile|push|photo|sms|chip|qr|i|m|e)?-?tan|smstan|cvv2?|cvc2?|prüfziffer|geheim(?:zahl|nummer)|einmal\p{L}{0,20}|passcode|verification|verifizierung\p{L}{0,20}|bestätigung(?:scode|snummer)?|vérification|verificación|verifica|usage unique|un solo uso|usa e getta|monouso|número secreto|numero segreto|combination|combo|\p{L}{0,12}kombination|combinaison|combinaci[oó]n|combinazione|verify|identity|identität|identité|identidad|identità|confirm your|sign(?:ing)?[ -]in|log(?:ging)? ?in|anmelden|anzumelden|anmeldung|einloggen|einzuloggen|connexion|connecter|iniciar sesión|accedere|accesso|authenticat\p{L}{0,6}|authentif\p{L}{0,10}|autenticación)(?![\p{L}\d])/giu;

/** What a person is told to do with a code. */
const typeWords =
  /(?<![\p{L}\d])(?:enter|type|key in|(?:geben|tippen) sie|gib|tippe|saisi(?:ssez|r|s)|entre[rz]|tapez|introdu(?:ce|zca|cir)|ingres(?:a|e|ar)|teclee?|inseris[ce](?:i|a)|inserire|inserisca|digit(?:a|i|are))(?![\p{L}\d])/giu;

const codeNumber =
  /(?<![\p{L}\d.,€$£/-]|\d:)(?:[A-Z]-)?(?:\d{3}[ \u00a0-]\d{3,4}|\d{4}[ \u00a0-]\d{4}|\d(?:[\s\u00a0-]\d){3,7}|\d{2}(?:[ \u00a0]\d{2}){2}|\d{2}-\d{2}-\d{2}|\d{4,10})(?![\p{L}\d]|[ \u00a0]\d\d\b|[.,:/-]\d|\s?[€$£%])/gu;

/** Letters and digits in one: `A7K9Q2`, `a1b2c-d3e4f`. */
const codeToken =
  /(?<![\p{L}\d/.@_-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){0,4}(?![\p{L}\d/@_-])/gu;
const smallToken =
  /(?<![\p{L}\d/.@_-])(?=[a-z0-9-]{0,12}\d)(?=[a-z0-9-]{0,12}[a-z])[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,4}(?![\p{L}\d/@_-])/gu;

/** The digits on a card, which are too short to be taken for a code elsewhere: by their name, or beside its number. */
const cardCheck =
  /((?<![\p{L}\d])(?:cvv2?|cvc2?|security code|verification (?:value|number)|prüf(?:ziffer|nummer)|kartenprüf\p{L}{1,12}|codice di sicurezza|código de seguridad|code de sécurité|cryptogramme|digits?|ziffern|chiffres|d[ií]gitos|cifre)(?![\p{L}\d])[^\n\d]{0,30}(?:\n[>\s]{0,20})?)\d{3,4}(?![\d.,:/]\d|\d|\s?[€$£%])/giu;
const besideCard =
  /(?<![\p{L}\d.,:/-])(?<![€$£] ?)(?!20\d\d)\d{3,4}(?![\p{L}\d]|[.,:/-]\d|\s?(?:[€$£%]|EUR|USD|GBP|CHF))/gu;

/** Codes that everybody knows, and what programmers write. */
const harmlessBefore = /(?:postal|zip|area|source|dress|country|qr)[ -]?codes?$/i;

/** A text with each one-time code and PIN replaced. */
export function redactCodes(whole: string, cut: () => string): string {
  const checked = whole.replace(cardCheck, (_all, head: string) => head + cut());
  const cards = around(checked, /\[card removed\]/g, { before: 0, behind: 40 });
  const text = cutRanges(checked, matchesWithin(checked, [besideCard], { ranges: cards }), cut);
  const named = around(text, codeWords, { before: 90, behind: 120 }).filter(({ from, to }) => {
    const end = to - 120;
    return !(
      harmlessBefore.test(text.slice(Math.max(0, from + 80), end)) ||
      /^ (?:postale?|review)\b/i.test(text.slice(end, end + 9))
    );
  });
  const counts = (found: string, at: number) => !isDate(text, at, found);
  const codes = matchesWithin(text, [codeNumber, codeToken, smallToken], {
    ranges: named,
    counts,
    // Lists of codes are longer than what stands around one.
    reach: 16,
  });
  const left = cutRanges(text, codes, cut);
  const typed = matchesWithin(left, [codeNumber], {
    ranges: around(left, typeWords, { before: 0, behind: 45 }),
    counts: (found, at) => found.replace(/\D/g, '').length > 4 && !isDate(left, at, found),
  });
  return cutRanges(left, typed, cut);
}

/** A year in a date tells nothing, nor does a date. */
function isDate(text: string, at: number, found: string): boolean {
  const [, first = 0, month = 0, last = 0] = /^(\d\d)-(\d\d)-(\d\d)$/.exec(found) ?? [];
  if (Number(month) > 0 && Number(month) < 13 && Math.min(Number(first), Number(last)) < 32)
    return true;
  if (!/^(?:19|20)\d\d$/.test(found)) return false;
  const before = text.slice(Math.max(0, at - 14), at);
  if (/(?<!\p{L})(?:in|since|until|seit|bis|depuis|desde|dal|of the)\s$/iu.test(before))
    return true;
  return /(?:\d{1,2}[.\s]+)?(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|ene|abr|ago|dic|gen|giu|lug|set|ott|janv|févr|avr|juin|juil|août|déc)\p{L}*\.?,?\s+(?:\d{1,2},?\s+)?$/iu.test(
    before,
  );
}
