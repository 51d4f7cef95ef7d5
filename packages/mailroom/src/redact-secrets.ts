import type { Redaction } from './mail-board.ts';

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
  /\b(?:sk-[\w-]{16,}|(?:sk|pk|rk)_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|Bearer [\w.~+/-]{16,})/g;

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

// What people write before a password: English, German, French, Spanish, Italian, and a few more.
const passwordWords = [
  'pass ?-?words?',
  'passwd',
  'pass(?=\\s*[:=])',
  String.raw`(?:secret|token|recovery key|\p{L}*schlüssel)(?=\s*[:=])`,
  'passwrd',
  'pwd',
  'pw',
  'passcode',
  'pass ?-?phrase',
  'seed phrase',
  'recovery phrase',
  'secret (?:key|phrase|word)',
  'api[ -]?key',
  'access (?:key|token)',
  'credentials?',
  String.raw`(?:\p{L}*)?pass?wor[dt]\p{L}*`,
  String.raw`\p{L}*kennw[oö]rt\p{L}*`,
  'zugangsdaten',
  'mots? de passe',
  'mdp',
  'identifiants?',
  'contrase(?:ñ|n)as?',
  'clave(?: de acceso)?',
  'parola d.ordine',
  'parola chiave',
  'chiave di accesso',
  'senhas?',
  'palavra-passe',
  'wachtwoord(?:en)?',
  'lösenord',
  'hasło',
  'пароль',
].join('|');

/** What stands between the word and the secret. */
const verb = String.raw`(?<![\p{L}\d])(?:is|are|was|will be|to|as|lautet|ist|heißt|lauten|sind|est|sont|es|son|será|è|sono|sarà|é|wird|war|becomes)(?![\p{L}\d])`;
const link = String.raw`(?:(?:${verb}[ \t]*)?(?:[:=→–]|->|=>)|${verb})`;

const passwordBefore = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${passwordWords})(?![\p{L}\d])([^\n:=]{0,60}?)(${link})[ \t]*(\n\s{0,20})?([^\n]{1,300})`,
  'giu',
);

const passwordDirect = new RegExp(
  String.raw`(?<![\p{L}\d])((?:${passwordWords})(?:[ \t]+|[ \t]*[|/-][ \t]*))(["'«“„‘\u0060]?)(?=[^\s"'»”]{0,60}[\d!@#$%^&*+?~])([^\s"'»”]{4,60})`,
  'giu',
);

/** A password in quotes right behind its word. */
const passwordQuoted = new RegExp(
  String.raw`(?<![\p{L}\d])((?:${passwordWords})[ \t]+["'«“„‘\u0060])([^"'»”’\u0060\n]{3,100})(?=["'»”’\u0060])`,
  'giu',
);

/** A password in front of its word: `"hunter2" is your new password`. */
const passwordAfter = new RegExp(
  String.raw`(?<=^|[\s"'«“„‘\u0060(])(?=[^\s]{0,60}[\d!@#$%^&*+?~])([^\s"'»”\u0060]{5,60})(["'»”\u0060]?[ \t]+(?:is|ist|lautet|est|es|è|é|=)[ \t]+[^\n.]{0,40}(?:${passwordWords})(?![\p{L}\d]))`,
  'gimu',
);

/** A quoted password in front of its word: `use "opensesame" as the password`. */
const passwordAs = new RegExp(
  String.raw`(["'«“„‘\u0060])([^"'»”’\u0060\n]{3,100})(?=["'»”’\u0060][ \t]+(?:as|als|comme|como|come)[ \t]+[^\n.]{0,30}(?:${passwordWords})(?![\p{L}\d]))`,
  'giu',
);

/** A word alone on its line, and the password alone on the next. */
const passwordBelow = new RegExp(
  String.raw`^([ \t]*(?:${passwordWords})[ \t]*\n\s{0,20})(?=\S{0,60}[\d!@#$%^&*+?~])(\S{4,60})(?=[ \t]*$)`,
  'gimu',
);

/** An old password and the new one. */
const passwordChanged = new RegExp(
  String.raw`((?<![\p{L}\d])(?:${passwordWords})(?![\p{L}\d])[^\n.]{0,40}[ \t](?:from|von|de|da)[ \t]+)(\S{1,60})([ \t]+(?:to|auf|zu|à|a)[ \t]+)(\S{1,60})`,
  'giu',
);

/** Words that follow "the password is" and are none. */
const noPassword =
  /^(?:about|abgelaufen|bald|correct|expired|expir\w*|going|gültig|in|incorrect|incorrecta?|incorrecto|invalid|mindestens|missing|needed|never|nicht|not|now|no|non|pas|ne|falsch|required|requis\w*|richtig|safe|secure|set|sicher|still|strong|stored|stark|the|to|too|ungültig|unsafe|valid|very|weak|wrong|your|you|être|bien|muy|molto|scaduta|caducado|erforderlich|removed|on|at|by|for|of|when|that)(?![\p{L}\d])/iu;

/** What a secret was replaced by; a bracket alone may be a part of one. */
const removed = /^\[\p{L}+(?: removed\])?$|^\[\p{L}+ removed\]/u;

function redactPasswords(text: string, cut: () => string): string {
  return text
    .replace(passwordQuoted, (_all, head: string) => `${head}${cut()}`)
    .replace(passwordAs, (_all, quote: string) => `${quote}${cut()}`)
    .replace(passwordBelow, (all: string, head: string, secret: string) =>
      removed.test(secret) ? all : `${head}${cut()}`,
    )
    .replace(
      passwordChanged,
      (all: string, head: string, one: string, to: string, other: string) =>
        removed.test(one) || !/[\d!@#$%^&*+?~]/.test(one + other)
          ? all
          : `${head}${cut()}${to}${cut()}`,
    )
    .replace(passwordAfter, (_all, _secret: string, rest: string) => `${cut()}${rest}`)
    .replace(
      passwordBefore,
      (all: string, between: string, joint: string, line: string | undefined, rest: string) => {
        if (removed.test(rest.trimStart()) || between.includes(' removed]')) return all;
        const head = all.slice(0, all.length - rest.length);
        // After a colon the whole line is the secret; after a verb its next word, if it can be one.
        if (/(?:[:=→–]|->|=>)$/.test(joint)) {
          if (/[:=]$/.test(joint) && between.length > 40) return all;
          return `${head}${cut()}`;
        }
        if (line !== undefined) return `${head}${cut()}`;
        const [, opening = '', secret = ''] = /^(\s*["'«“„‘`*_]*)([^\s]+)/.exec(rest) ?? [];
        if (secret === '' || noPassword.test(secret)) return all;
        const quoted = /["'«“„‘`]/.test(opening)
          ? /^[^"'»”’`\n]*/.exec(rest.slice(opening.length))?.[0]
          : undefined;
        const bare = quoted ?? secret.replace(/[.,;:!?)]+$/, '');
        return `${head}${opening}${cut()}${rest.slice(opening.length + bare.length)}`;
      },
    )
    .replace(
      passwordDirect,
      (_all, word: string, quote: string, secret: string) =>
        `${word}${quote}${removed.test(secret) || secret.startsWith('removed]') ? secret : cut()}`,
    );
}

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

function redactCodes(whole: string, cut: () => string): string {
  const text = whole.replace(cardCheck, (_all, head: string) => `${head}${cut()}`);
  const places = [...text.matchAll(codeWords)].flatMap(({ index, 0: word }) => {
    const end = index + word.length;
    const isHarmless =
      harmless.test(text.slice(Math.max(0, index - 10), end)) ||
      /^ (?:postale?|review)\b/i.test(text.slice(end, end + 9));
    return isHarmless ? [] : [{ from: index - after, to: end + before }];
  });
  if (places.length === 0) return text;
  const isNear = (at: number) => places.some(({ from, to }) => at >= from && at <= to);
  const replaced = (found: string, at: number) =>
    isNear(at) && !isDate(text, at, found) ? cut() : found;
  // Marked first, so that both patterns see the same places.
  const ranges: { readonly at: number; readonly found: string }[] = [];
  for (const pattern of [codeNumber, codeToken]) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      const isTaken = ranges.some(
        (range) => index < range.at + range.found.length && index + found.length > range.at,
      );
      if (!isTaken && found.length >= 3) ranges.push({ at: index, found });
    }
  }
  let result = '';
  let end = 0;
  for (const { at, found } of ranges.sort((one, other) => one.at - other.at)) {
    result += text.slice(end, at) + replaced(found, at);
    end = at + found.length;
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
