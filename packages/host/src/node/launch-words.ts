import { fileURLToPath } from 'node:url';
import type { LocalConfig } from '../settings.ts';

/**
 * Every text in the arguments and variables of an entry that may be the path of a file, in order: whole
 * ones, values of options, and the words of command lines that a shell is given.
 */
export function launchWords({ args = [], env = {} }: LocalConfig): ReadonlySet<string> {
  return new Set([...args, ...Object.values(env)].flatMap(wordsOf));
}

function wordsOf(text: string): readonly string[] {
  const quoted = [...text.matchAll(/(["'`])(.*?)\1/gs)].map(([, , inside = '']) => inside);
  const urls = (text.match(/file:[^\s"'`,;]+/g) ?? []).flatMap(pathOfUrl);
  return [text, text.slice(text.indexOf('=') + 1), ...urls, ...quoted, ...text.split(between)];
}

/** On Windows a colon is part of a path. */
const between = process.platform === 'win32' ? /[\s=,;"'`()|&<>]+/ : /[\s=,;:"'`()|&<>]+/;

function pathOfUrl(url: string): readonly string[] {
  try {
    return [fileURLToPath(url)];
  } catch {
    return [];
  }
}
