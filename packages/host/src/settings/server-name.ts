import { recentLanguages, reservedLanguages } from '@errand/document/languages';

const longest = 100;

/** What is wrong with a server's name beside those of others; it is also a code-block language. Undefined when it is fine. */
export function findNameMistake(name: string, others: readonly string[] = []): string | undefined {
  if (recentLanguages.has(name.toLowerCase())) return isLanguage(name, others);
  return findStoredNameMistake(name, others);
}

/** The same for a name in a settings file, which may be older than the newest reserved names. */
export function findStoredNameMistake(
  name: string,
  others: readonly string[] = [],
): string | undefined {
  const instead = `Write for example "${suggestServerName(name, others)}".`;
  if (name === '') return 'A server needs a name. Write for example "notes".';
  if (name.length > longest) return `A name has at most ${longest} characters. ${instead}`;
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    return `A name has only letters (A to Z), digits, "-" and "_". ${instead}`;
  }
  if (name.includes('__')) {
    return `A name has no "__", which separates server and tool in the gateway. ${instead}`;
  }
  if (reservedLanguages.has(name.toLowerCase())) return isLanguage(name, others);
  if (others.some((other) => other.toLowerCase() === name.toLowerCase())) {
    return `Another server has this name. ${instead}`;
  }
  return undefined;
}

function isLanguage(name: string, others: readonly string[]): string {
  return `"${name}" is the language of other code blocks. Write for example "${suggestServerName(name, others)}".`;
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
  const isReserved = [reservedLanguages, recentLanguages].some((names) =>
    names.has(plain.toLowerCase()),
  );
  return isReserved ? `${plain}-server` : plain;
}
