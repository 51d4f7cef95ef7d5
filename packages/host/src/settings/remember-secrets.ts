import type { SecretStore } from '../secret-store.ts';
import { createRedactor } from './create-redactor.ts';

/** A secret store, and a redactor for every value that it returned or that was registered. */
interface KnownSecrets {
  readonly secrets: SecretStore;
  /** Registers the value of a reference, such as `${env:TOKEN}`. */
  remember(reference: string, value: string): void;
  redact(text: string): string;
}

/** Remembers the values that a secret store returns, so that they can be kept out of logs. */
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
