import { mapTexts } from './map-texts.ts';

/** Names of secrets and of variables of the environment that texts refer to, each once. */
interface NamedReferences {
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
}

/** A reference in a text: `${env:NAME}` or `${secret:NAME}`. */
export const referencePattern = /\$\{(env|secret):([^{}]*)\}/g;

/** Finds the references in every string of a value. */
export function namedReferences(value: unknown): NamedReferences {
  const secrets = new Set<string>();
  const variables = new Set<string>();
  mapTexts(value, (text) => {
    for (const [, kind, name = ''] of text.matchAll(referencePattern)) {
      (kind === 'secret' ? secrets : variables).add(name);
    }
    return text;
  });
  return { secrets: [...secrets], variables: [...variables] };
}
