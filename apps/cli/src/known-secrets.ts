import { createRedactor, type SecretStore } from '@errand/host';

/** A secret store, and a way to take every value it has given out of a text. */
export interface KnownSecrets {
  readonly secrets: SecretStore;
  redact(text: string): string;
}

/** Remembers what a secret store gives out, so that it can be kept out of logs. */
export function rememberSecrets(store: SecretStore): KnownSecrets {
  const values = new Map<string, string>();
  let redact = createRedactor(values);
  return {
    secrets: {
      ...store,
      async get(name) {
        const value = await store.get(name);
        const reference = `\${secret:${name}}`;
        if (value !== undefined && values.get(reference) !== value) {
          values.set(reference, value);
          redact = createRedactor(values);
        }
        return value;
      },
    },
    redact: (text) => redact(text),
  };
}
