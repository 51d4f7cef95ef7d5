import { expect, test } from 'vitest';
import { exampleServer } from '../testing/example-server.ts';
import { createMemorySecretStore } from '../testing/memory-secret-store.ts';
import { expandServer } from './expand-references.ts';

const secrets = createMemorySecretStore({ crm: 'top secret/value', short: 'abc' });
const env = { HOST: 'crm.example', EMPTY: '' };

const remote = (url: string, headers: Record<string, string> = {}) => ({
  ...exampleServer,
  name: 'crm',
  httpConfig: { url, headers },
});

test('expands texts at any depth and nothing else', async () => {
  const server = {
    ...remote(`https://\${env:HOST}/\${env:HOST}`, { Authorization: `Bearer \${secret:crm}` }),
    localConfig: { command: 'run', args: [`--x=\${env:EMPTY}`, `\${HOME}`, `$\{other:x}`] },
  };
  const { value } = await expandServer(server, { env, secrets });
  expect(value).toEqual({
    ...server,
    httpConfig: {
      url: 'https://crm.example/crm.example',
      headers: { Authorization: 'Bearer top secret/value' },
    },
    localConfig: { command: 'run', args: ['--x=', `\${HOME}`, `$\{other:x}`] },
  });
});

test('does not expand what a value contains', async () => {
  const nested = createMemorySecretStore({ a: `\${secret:b}`, b: 'inner' });
  const { value } = await expandServer(remote(`http://\${secret:a}`), { env, secrets: nested });
  expect(value.httpConfig?.url).toBe(`http://\${secret:b}`);
});

test('names everything that is not set and advises to set it', async () => {
  const server = remote(`https://\${env:NOWHERE}`, { A: `\${secret:none}`, B: `\${secret:crm}` });
  await expect(expandServer(server, { env, secrets })).rejects.toMatchObject({
    code: 'secret_missing',
    message:
      'Server "crm" needs the environment variable NOWHERE, which is not set. Set it before Errand starts, or keep it as a secret and write ${' +
      'secret:NOWHERE}.\nServer "crm" needs the secret "none", which is not set.',
    advice: [
      { kind: 'set-secret', name: 'NOWHERE' },
      { kind: 'set-secret', name: 'none' },
    ],
  });
});

test('puts the references back into messages, however the value is spelled', async () => {
  const server = remote('https://x', { A: `\${secret:crm}`, B: `\${secret:short}` });
  const { redact } = await expandServer(server, { env, secrets });
  const reference = `\${secret:crm}`;
  expect(redact('401 for top secret/value')).toBe(`401 for ${reference}`);
  expect(redact('GET /?k=top%20secret%2Fvalue')).toBe(`GET /?k=${reference}`);
  expect(redact('abc')).toBe('abc');
});

test('puts back the longer of two values that begin alike, and never a reference into another', async () => {
  const pair = createMemorySecretStore({ a: 'secret', b: 'secret-longer' });
  const server = remote('https://x', { A: `\${secret:a}`, B: `\${secret:b}` });
  const { redact } = await expandServer(server, { env: {}, secrets: pair });
  expect(redact('secret-longer, secret')).toBe(`\${secret:b}, \${secret:a}`);
});
