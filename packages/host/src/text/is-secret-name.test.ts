import { expect, test } from 'vitest';
import { isSecretName } from './is-secret-name.ts';

test.each([
  'GITHUB_TOKEN',
  'API_KEY',
  'apiKey',
  'OPENAI_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'Authorization',
  'X-Api-Key',
  'x-auth',
  'Cookie',
  'DB_PASSWORD',
  'PGPASS',
  'Your PIN',
  'recovery pass phrase',
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(['LANG', 'KEYBOARD', 'monkey', 'author', 'city', 'spinner', 'passenger'])(
  '%s is not the name of a secret',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);
