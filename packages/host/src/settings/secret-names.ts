import type { Settings } from '../settings.ts';

/** The names of variables or headers whose value looks like a secret that is written in the clear. */
export function findClearSecrets(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values)
    .filter(([name, value]) => telling.test(name) && value !== '' && !value.includes('$'))
    .map(([name]) => name);
}

const telling = /token|secret|passw|api[-_]?key|authorization|credential/i;

/** The secrets that settings name, each once. */
export function namedSecrets({ mcpServers, assistants }: Settings): readonly string[] {
  const text = JSON.stringify([mcpServers, assistants]);
  return [...new Set(Array.from(text.matchAll(/\$\{secret:([^}"]+)\}/g), ([, name = '']) => name))];
}
