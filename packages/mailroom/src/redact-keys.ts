import { around, cutRanges, matchesWithin } from './redact-near.ts';

const privateKey =
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;

/** Keys whose makers gave them a form. */
const knownKey =
  /\b(?:sk-[\w-]{16,}|(?:sk|pk|rk)_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{30,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|Bearer [\w.~+/-]{16,})/g;

/** Words for a key, a token or a licence: what is no word near them is one. */
const keyWord =
  /(?<![\p{L}\d])(?:\p{L}{0,30}(?:keys?|schlüssel|token|tokens|secrets?)|api[ -]key|cl[ée]s?|claves?|chiav[ei]|jetons?|secreto|segreto|licen[sc]es?|licencia|licenza|authorization|cookie|session)(?![\p{L}\d])/giu;

/** Sixteen characters with letters and digits, or groups of capitals and digits. */
const opaque = [
  /(?<![\w+/.@-])(?=[\w+/=-]{0,60}\d)(?=[\w+/=-]{0,60}[A-Za-z])[\w+/=-]{16,300}(?![\w@])/g,
  /(?<![\w.@-])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}(?![\w@-])/g,
];

/** Words for the words that bring a wallet back, and what follows them. */
const recoveryWords =
  /((?<![\p{L}\d])(?:seed|mnemonic|recovery|wiederherstellungs?|récupération|recuperación|semilla|recupero)[ -]?(?:phrases?|words?|wörter|wort|frase|satz|palabras|parole)?(?![\p{L}\d])[^\n:=.]{0,30}(?:[:=\n]|(?<![\p{L}\d])(?:is|are|lautet|lauten|ist|sind|est|sont|es|son|è|sono)(?![\p{L}\d]))[\s>"'«“„]{0,20})((?:(?:\d{1,2}[.):]?[ \t]{0,3})?\p{Ll}{3,12}[,;]?(?:[ \t]{1,3}|[ \t]{0,3}\n[>\s]{0,6})){7,30}(?:\d{1,2}[.):]?[ \t]{0,3})?\p{Ll}{3,12}(?![\p{L}\d]))/giu;

/** A text with each key, token and recovery phrase replaced. */
export function redactKeys(text: string, cut: () => string): string {
  const left = text
    .replace(privateKey, cut)
    .replace(knownKey, cut)
    .replace(recoveryWords, (_all, head: string) => head + cut());
  const ranges = around(left, keyWord, { before: 40, behind: 80 });
  return cutRanges(left, matchesWithin(left, opaque, { ranges }), cut);
}
