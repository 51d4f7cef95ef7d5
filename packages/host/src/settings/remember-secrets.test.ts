import { expect, test } from 'vitest';
import { createMemorySecretStore } from '../testing/memory-secret-store.ts';
import { rememberSecrets } from './remember-secrets.ts';

test('takes out of a text what was given out, and nothing else', async () => {
  const { secrets, remember, redact } = rememberSecrets(createMemorySecretStore());
  await secrets.set('crm', 'swordfish');
  await secrets.set('mail', 'haddock');
  expect(redact('swordfish or haddock')).toBe('swordfish or haddock');
  expect(await secrets.get('crm')).toBe('swordfish');
  expect(redact('swordfish or haddock')).toBe(`\${secret:crm} or haddock`);
  remember(`\${env:MAIL}`, 'haddock');
  expect(redact('swordfish or haddock')).toBe(`\${secret:crm} or \${env:MAIL}`);
});
