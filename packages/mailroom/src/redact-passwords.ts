import { around, cutRanges, matchesWithin, type TextRange } from './redact-near.ts';

// What people write before a password: English, German, French, Spanish, Italian, and a few more.
const words = [
  'pass ?-?words?',
  'passwd',
  'p[a@][s$]{2}w[o0]rds?',
  'passwrd',
  'pwd',
  'pw',
  'pass[ -]?(?:code|phrase|key)s?',
  '(?:seed|recovery|secret) phrase',
  'secret (?:key|word)',
  'api[ _-]?key',
  'access[ _-]?(?:key|token)',
  'credentials?',
  String.raw`\p{L}{0,30}pass?wor[dt]\p{L}{0,12}`,
  String.raw`\p{L}{0,30}kennw[oö]rt\p{L}{0,12}`,
  'losungswort',
  'zugangsdaten',
  String.raw`(?:wi-?fi|wlan|wpa\d?|network|netzwerk)[ -]?(?:key|schlüssel)`,
  'mots? de passe',
  'mdp',
  'identifiants?',
  String.raw`cl[ée] (?:wi-?fi|wpa\d?|api|d.api|d.accès|de sécurité|secrète|privée)`,
  'phrase (?:de passe|secrète)',
  'contrase(?:ñ|n)as?',
  'credenciales',
  'clave(?: de acceso)?',
  'frase (?:segreta|secreta|de paso)',
  'credenziali',
  'parola (?:d.ordine|chiave|segreta)',
  String.raw`chiave (?:di accesso|wi-?fi|wpa\d?|api|segreta|di sicurezza)`,
  'senhas?',
  'palavra-passe',
  'wachtwoord(?:en)?',
  'lösenord',
  'hasło',
  'пароль',
  // The answer to a question for those who forgot their password is as good as one.
  'security question',
  'sicherheitsfrage',
  'question (?:secrète|de sécurité)',
  'pregunta (?:secreta|de seguridad)',
  'domanda (?:segreta|di sicurezza)',
].join('|');
const word = String.raw`(?<![\p{L}\d])(?:${words})(?![\p{L}\d])`;
const anyWord = new RegExp(word, 'giu');

/** A word that means a password only when one word follows it on its line. */
const plainWord =
  /((?<![\p{L}\d])(?:pass|secret|tokens?|jeton|recovery key|parole|\p{L}{0,30}-?schlüssel)[ \t"']{0,9}[:=][\s>"']{0,20})([^\s[]\S{3,200})(?=[ \t]*$)/gimu;

/** A password in quotes right behind its word. */
const quoted = new RegExp(
  String.raw`(${word}[ \t]{1,9}["'«“„‘\u0060][ \u00a0]?)([^"'»”“’\u0060\n]{3,100})(?=["'»”“’\u0060])`,
  'giu',
);

/** A quoted password in front of its word: `use "opensesame" as the password`. */
const quotedBefore = new RegExp(
  String.raw`(["'«“„‘\u0060])([^"'»”’\u0060\n]{3,100})(?=["'»”“’\u0060][ \t]{1,9}(?:as|als|comme|como|come)[ \t][^\n.]{0,30}(?:${words})(?![\p{L}\d]))`,
  'giu',
);

/** A word in a heading, and the password alone on the next line. */
const below = new RegExp(
  String.raw`(^[^\n.!?:]{0,40}${word}[^\n.!?:]{0,40}\n[>\s]{0,20})([^\s[]\S{2,58}[^\s,:!?.])(?=[ \t]*$)`,
  'gimu',
);

/** A row of a table below the one with the name of the user. */
const row = new RegExp(
  String.raw`(^[ \t>]{0,9}(?:user(?:name)?|log ?in|e-?mail|account|benutzer\p{L}{0,12}|usuario|(?:nome )?utente|nom d.utilisateur|identifiant)(?!\p{L})[^\n]{1,80}\n[>\s]{0,20}(?:${words})[ \t]{1,9})([^\s[]\S{2,59})(?=[ \t]*$)`,
  'gimu',
);

/** A word and the password in two columns. */
const beside = new RegExp(
  String.raw`(${word}[ ]{0,9}(?:[ ]{2,40}|\t[ \t]{0,9}|[.…]{2,40} ?|\|[ \t]{0,9}))([^\s[|]{3,60})(?=[ \t|]{0,9}$)`,
  'gimu',
);

/** An old password and the new one. */
const changed = new RegExp(
  String.raw`(${word}[^\n.]{0,40}[ \t](?:from|von|de|da)[ \t]{1,9})([^\s[]\S{0,59})([ \t]{1,9}(?:to|auf|zu|à|a)[ \t]{1,9})(\S{1,60})`,
  'giu',
);

/** A password right behind its word: with a digit or a sign in it. */
const direct = new RegExp(
  String.raw`(${word}(?:[ \t]{1,9}|[ \t]{0,9}[|/-][ \t]{0,9})["'«“„‘\u0060]?)(?=[^\s"'»”]{0,60}[\d!@#$%^&*+?~])([^\s"'»”[][^\s"'»”]{3,59})`,
  'giu',
);

/** A password in front of its word: `"hunter2" is your new password`. */
const before = new RegExp(
  String.raw`(?<=^|[\s"'«“„‘\u0060(])(?=\S{0,60}[\d!@#$%^&*+?~])([^\s"'»”“\u0060[][^\s"'»”“\u0060]{4,59})(["'»”“\u0060]?[ \t]{1,9}(?:is|ist|lautet|est|es|è|é|=)[ \t][^\n.]{0,40}(?:${words})(?![\p{L}\d]))`,
  'gimu',
);

/** In an address: `postgres://app:secret@db.example.org`, `?pwd=secret`. */
const inAddress = [
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:)([^\s@/[]{1,200})(?=@)/gi,
  /([?&](?:pwd|pass|passwd)=)([^\s&[]{1,200})/gi,
];

/** A text with each password replaced. */
export function redactPasswords(text: string, cut: () => string): string {
  const behindHead = (_all: string, head: string) => head + cut();
  let left = text;
  for (const pattern of [...inAddress, quoted, quotedBefore, below, row, beside]) {
    left = left.replace(pattern, behindHead);
  }
  left = left
    .replace(changed, (all: string, head: string, one: string, to: string, other: string) =>
      /[\d!@#$%^&*+?~]/.test(one + other) ? head + cut() + to + cut() : all,
    )
    .replace(before, (_all, _secret: string, rest: string) => cut() + rest);
  left = cutRanges(left, valuesIn(left), cut);
  left = left.replace(direct, behindHead).replace(plainWord, behindHead);
  const ranges = around(left, nearWord, { before: 50, behind: 70 });
  const counts = (found: string) => !isHarmless(found);
  return cutRanges(left, matchesWithin(left, [mixed], { ranges, counts }), cut);
}

/** Near these, what has letters and digits in it is taken for a password. */
const nearWord = new RegExp(
  String.raw`${word}|(?<![\p{L}\d])(?:pass|log ?in|user(?:name)?|usuario|utente|benutzer(?:name)?|zugang|accesso|acceso)(?![\p{L}\d])`,
  'giu',
);
const mixed =
  /(?<![^\s"'«“„‘`(*_>:/=])(?=[^\s]{0,40}\d)(?=[^\s]{0,40}\p{L})[^\s"'»”“’`<>()[\]]{6,60}/gu;

/** Addresses, dates, and amounts with their unit. */
function isHarmless(found: string): boolean {
  return /@|:\/\/|^www\.|[\w-]\.\w+\/|^\d{1,5}[-.]?\p{L}*\d{0,2}[.,;:!?]*$|^\d{4}-\d\d-\d\d/u.test(
    found,
  );
}

/** What stands between a word and the password. */
const verb = String.raw`(?<![\p{L}\d])(?:is|are|was|will be|to|(?<!such )as|lautet|ist|heißt|lauten|sind|est|sont|es|son|será|è|sono|sarà|é|wird|war|becomes)(?![\p{L}\d])|(?<=[\p{L}\d])['’]s(?=[ \t])`;
// Not the colon of an address or a time.
const sign = String.raw`:(?!\/\/|(?<=\d:)\d)|[=→–]|->|=>`;
const link = new RegExp(String.raw`(?:(?:${verb})[ \t]{0,9})?(${sign})|${verb}`, 'giu');

/** Words that follow "the password is" and are none. */
const noPassword =
  /^(?:about|abgelaufen|bald|being|correct|expired|expir\p{L}*|going|gültig|in|incorrect|incorrecta?|incorrecto|invalid|mindestens|missing|needed|never|nicht|not|now|no|non|pas|ne|falsch|required|requis\p{L}*|richtig|safe|secure|set|sicher|still|strong|stored|stark|the|to|too|ungültig|unsafe|valid|very|weak|wrong|your|you|être|bien|muy|molto|scaduta|caducado|erforderlich|removed|on|at|by|for|of|when|that|a|an|all|am|der|die|das|ein|eine|le|la|les|un|une|el|los|las|il|lo|gli|que|dass|che|sous|sotto|unter)(?![\p{L}\d])/iu;

/** What is said of a password that is not shown. */
const saysNothing =
  /(?<![\p{L}\d])(?:policy|rules?|richtlinien?|not|nicht|incorrect|expired|abgelaufen|wrong|falsch|follows?)(?![\p{L}\d])/iu;

const adverbs =
  /^(?:(?:now|currently|still|ab sofort|ab jetzt|jetzt|nun|derzeit|weiterhin|maintenant|désormais|toujours|ahora|adesso|ora)[ \t]{1,9}){1,2}/iu;

/** What a secret was replaced by; a bracket alone may be a part of one. */
const removed = /^\[\p{L}+(?: removed\])?$|^\[\p{L}+ removed\]/u;

/** Passwords that a verb, a colon or a line end joins to their word. */
function valuesIn(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (const { index, 0: name } of text.matchAll(anyWord)) {
    const end = index + name.length;
    if (end < (ranges.at(-1)?.to ?? 0)) continue;
    const range = valueBehind(text, end, /phrase|frase/i.test(name));
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

/** The password behind a word that ends at a place: a colon joins it within the sentence, or a verb. */
function valueBehind(text: string, at: number, isPhrase: boolean): TextRange | undefined {
  const [sentence = ''] = /^(?:[^\n.!?[]|[.!?](?!\s)|\[(?!\p{L}+ removed\]))*/u.exec(
    text.slice(at, at + 90),
  ) ?? [''];
  let first: TextRange | undefined;
  for (const { index, 0: joint, 1: isSign } of sentence.matchAll(link)) {
    const end = at + index + joint.length;
    if (isSign === undefined) {
      first ??= index > 60 ? undefined : behindVerb(text, end, isPhrase);
    } else if (index <= 60 && !saysNothing.test(sentence.slice(0, index))) {
      const line = lineBehind(text, end);
      // Whatever a verb joins and a colon explains is cut as a whole.
      return line && { from: first?.from ?? line.from, to: line.to };
    }
  }
  return first;
}

/** The rest of a line, or the next one when nothing follows. */
function lineBehind(
  text: string,
  at: number,
): (TextRange & { readonly isNext: boolean }) | undefined {
  const rest = text.slice(at, at + 340);
  const [, gap = '', next = '', line = ''] =
    /^([ \t"'*_]{0,9}(\n[>\s*_"']{0,20})?)([^\n]{1,300})/.exec(rest) ?? [];
  if (line.trim() === '' || removed.test(line) || /^https?:\/\//i.test(line)) return undefined;
  const from = at + gap.length;
  return { from, to: from + line.length, isNext: next !== '' };
}

function behindVerb(text: string, at: number, isPhrase: boolean): TextRange | undefined {
  const line = lineBehind(text, at);
  if (line === undefined || line.isNext) return line;
  const from = line.from + (adverbs.exec(text.slice(line.from, line.to))?.[0].length ?? 0);
  const rest = text.slice(from, line.to);
  const [, opening = '', secret = ''] = /^(\s*["'«“„‘`*_]*[ \u00a0]?)(\S+)/.exec(rest) ?? [];
  if (secret === '' || noPassword.test(secret) || removed.test(secret)) {
    // "is the following:" ends its line.
    return /^[^\n.]{0,40}:[ \t]*$/.test(rest) ? lineBehind(text, line.to) : undefined;
  }
  const inQuotes = /["'«“„‘`]/.test(opening)
    ? /^[^"'»”“’`\n]*/.exec(rest.slice(opening.length))?.[0]
    : undefined;
  const phrase = isPhrase ? /^[^\n.!?]*/.exec(rest.slice(opening.length))?.[0] : undefined;
  const bare = (inQuotes ?? phrase ?? secret).replace(/[.,;:!?)]+$/, '');
  if (bare === '') return undefined;
  const start = from + opening.length;
  return { from: start, to: start + bare.length };
}
