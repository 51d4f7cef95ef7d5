import { reservedNames } from './reserved-names.ts';

const longest = 100;

/** What is wrong with a server's name, which is also a code-block language; nothing when it is fine. */
export function findNameMistake(name: string): string | undefined {
  const instead = `Write for example "${suggestServerName(name, [])}".`;
  if (name === '') return 'A server needs a name. Write for example "notes".';
  if (name.length > longest) return `A name has at most ${longest} characters. ${instead}`;
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    return `A name has only letters (A to Z), digits, "-" and "_". ${instead}`;
  }
  if (name.includes('__')) {
    return `A name has no "__", which separates server and tool in the gateway. ${instead}`;
  }
  if (reservedNames.has(name.toLowerCase())) {
    return `"${name}" is the language of other code blocks. ${instead}`;
  }
  return undefined;
}

/** A legal name as near as possible to the wanted one, and not among those taken (ignoring case). */
export function suggestServerName(wanted: string, taken: Iterable<string>): string {
  const used = new Set(Array.from(taken, (name) => name.toLowerCase()));
  const base = legalName(wanted);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const name = base.slice(0, longest - suffix.length) + suffix;
    if (!used.has(name.toLowerCase())) return name;
  }
}

function legalName(wanted: string): string {
  const plain = wanted
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/-{2,}/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, longest);
  if (plain === '') return 'server';
  return reservedNames.has(plain.toLowerCase()) ? `${plain}-server` : plain;
}
