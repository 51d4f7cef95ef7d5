import { expect, test } from 'vitest';
import { exampleServer } from '../testing/example-server.ts';
import { createMemorySecretStore } from '../testing/memory-secret-store.ts';
import { takeSecrets, withSecretValues } from './take-secrets.ts';

const env = { API_KEY: 'abc123', MAX_TOKENS: '4096', LANG: 'en', GITHUB_TOKEN: `\${env:T}` };
const headers = { Authorization: 'Bearer xyz', 'X-Api-Key': 'k-1', Accept: '*/*' };
const server = {
  ...exampleServer,
  name: 'weather',
  localConfig: { command: 'run', env },
  httpConfig: { url: 'https://x.example', headers },
};

test('puts references in the place of what looks like a secret', () => {
  const taken = takeSecrets(server, ['weather-api-key']);
  expect(taken.secrets).toEqual([
    { field: 'API_KEY', name: 'weather-api-key-2', value: 'abc123' },
    { field: 'Authorization', name: 'weather-authorization', value: 'xyz' },
    { field: 'X-Api-Key', name: 'weather-x-api-key', value: 'k-1' },
  ]);
  expect(taken.server.localConfig).toEqual({
    command: 'run',
    env: { ...env, API_KEY: `\${secret:weather-api-key-2}` },
  });
  expect(taken.server.httpConfig?.headers).toEqual({
    Authorization: `Bearer \${secret:weather-authorization}`,
    'X-Api-Key': `\${secret:weather-x-api-key}`,
    Accept: '*/*',
  });
  expect(JSON.stringify(taken.server)).not.toMatch(/abc123|xyz|k-1/);
});

test('an entry with its secrets filled in is the one that they were taken from', async () => {
  const taken = takeSecrets(server, []);
  const values = taken.secrets.map(({ name, value }) => [name, value]);
  const store = createMemorySecretStore(Object.fromEntries(values));
  expect(await withSecretValues([taken.server, exampleServer], store)).toEqual([
    server,
    exampleServer,
  ]);
});
