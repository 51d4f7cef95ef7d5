import type { Settings } from '../settings.ts';
import { isSecretName } from '../text/is-secret-name.ts';
import { namedReferences } from './named-references.ts';

/** The names of variables or headers whose value looks like a secret that is written in the clear. */
export function findClearSecrets(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values)
    .filter(
      ([name, value]) => isSecretName(name) && !isHarmless.test(value) && !isReference.test(value),
    )
    .map(([name]) => name);
}

// Switches and small numbers are not secrets.
const isHarmless = /^(?:true|false|none|\d{0,6})$/i;
// `${secret:x}`, and in the files of other programs `$X`; a password may contain a `$`.
const isReference = /\$\{[^{}]+\}|^(?:\w+ )?\$\w+$/;

/** The secrets that settings name, each once. */
export function namedSecrets({ mcpServers, assistants }: Settings): readonly string[] {
  return namedReferences([mcpServers, assistants]).secrets;
}
