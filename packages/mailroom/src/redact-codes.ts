// Words for one-time codes and PINs; a number near one of them is one.
const codeWords =
  /(?<![\p{L}\d])(?:codes?|codici|codice|códigos?|codigos?|kod|koodi|\p{L}*code|otps?|totp|2fa|mfa|two-factor|two-step|one-?time|pins?|pin-?nummer|puk|tan|mtan|smstan|itan|cvv2?|cvc2?|prüfziffer|geheimzahl|einmal\p{L}*|passcode|verification|verifizierung\p{L}*|bestätigung(?:scode|snummer)?|vérification|verificación|verifica|usage unique|un solo uso|usa e getta|verify|sign(?:ing)? in|log(?:ging)? ?in|anmelden|anzumelden|anmeldung|einloggen|einzuloggen|connexion|connecter|iniciar sesión|accedere|accesso|authenticat\w*|authentif\w*|autenticación)(?![\p{L}\d])/giu;

const codeNumber =
  /(?<![\p{L}\d.,€$£:/-])(?:[A-Z]-)?(?:\d{3}[ \u00a0-]\d{3,4}|\d{4}[ \u00a0-]\d{4}|\d(?:[ \u00a0-]\d){3,7}|\d{4,10})(?![\p{L}\d]|[.,:/-]\d|\s?[€$£%])/gu;

/** Letters and digits in one: `A7K9Q2`. */
const codeToken =
  /(?<![\p{L}\d/.@_-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){0,4}(?![\p{L}\d/@_-])/gu;

/** The three digits on a card, which are too short to be taken for a code elsewhere. */
const cardCheck =
  /((?<![\p{L}\d])(?:cvv2?|cvc2?|security code|prüfziffer|kartenprüfnummer|codice di sicurezza|código de seguridad|code de sécurité|cryptogramme)(?![\p{L}\d])[^\n\d]{0,30})\d{3,4}(?!\d)/giu;

/** Codes that everybody knows, and what programmers write. */
const harmless = /(?:postal|zip|area|source|dress|country)[ -]?codes?$/i;

const before = 120;
const after = 90;

/** A text with each one-time code and PIN replaced. */
export function redactCodes(whole: string, cut: () => string): string {
  const text = whole.replace(cardCheck, (_all, head: string) => `${head}${cut()}`);
  const places = [...text.matchAll(codeWords)].flatMap(({ index, 0: word }) => {
    const end = index + word.length;
    const isHarmless =
      harmless.test(text.slice(Math.max(0, index - 10), end)) ||
      /^ (?:postale?|review)\b/i.test(text.slice(end, end + 9));
    return isHarmless ? [] : [{ from: index - after, to: end + before }];
  });
  const found = [codeNumber, codeToken].flatMap((pattern) => [...text.matchAll(pattern)]);
  found.sort((one, other) => one.index - other.index);
  let result = '';
  let end = 0;
  let place = 0;
  for (const { index, 0: code } of found) {
    if (index < end) continue;
    while (place < places.length && (places[place]?.to ?? 0) < index) place += 1;
    const isNear = (places[place]?.from ?? Number.POSITIVE_INFINITY) <= index;
    if (!isNear || isDate(text, index, code)) continue;
    result += text.slice(end, index) + cut();
    end = index + code.length;
  }
  return result + text.slice(end);
}

/** A year in a date tells nothing. */
function isDate(text: string, at: number, found: string): boolean {
  if (!/^(?:19|20)\d\d$/.test(found)) return false;
  const around = text.slice(Math.max(0, at - 14), at);
  if (/(?<!\p{L})(?:in|since|until|seit|bis|depuis|desde|dal|of the)\s$/iu.test(around))
    return true;
  return /(?:\d{1,2}[.\s]+)?(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|ene|abr|ago|dic|gen|giu|lug|set|ott|janv|févr|avr|juin|juil|août|déc)\p{L}*\.?,?\s+(?:\d{1,2},?\s+)?$/iu.test(
    around,
  );
}
