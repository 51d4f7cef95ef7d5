import type { SecretStore } from '../secret-store.ts';
import { createRedactor } from './create-redactor.ts';

/** A secret store, and a way to take every value it has given, or that was made known, out of a text. */
interface KnownSecrets {
  readonly secrets: SecretStore;
  /** Makes known what a reference stands for, such as `${env:TOKEN}`. */
  remember(reference: string, value: string): void;
  redact(text: string): string;
}

/** Remembers what a secret store gives out, so that it can be kept out of logs. */
export function rememberSecrets(store: SecretStore): KnownSecrets {
  const values = new Map<string, string>();
  let redact = createRedactor(values);
  const remember = (reference: string, value: string) => {
    if (values.get(reference) === value) return;
    values.set(reference, value);
    redact = createRedactor(values);
  };
  return {
    secrets: {
      ...store,
      async get(name) {
        const value = await store.get(name);
        if (value !== undefined) remember(`\${secret:${name}}`, value);
        return value;
      },
    },
    remember,
    redact: (text) => redact(text),
  };
}
