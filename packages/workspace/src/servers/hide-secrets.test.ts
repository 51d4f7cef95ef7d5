import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { hideSecrets } from './hide-secrets.ts';

test('hides what looks like a secret, and keeps references and the rest', () => {
  const reference = '$' + '{secret:k}';
  const env = { API_KEY: 'abc-123-def', OTHER_TOKEN: reference, UNITS: 'metric' };
  const headers = { Authorization: 'Bearer abcdef' };
  const shown = hideSecrets({
    ...localServer('a'),
    localConfig: { command: 'x', env },
    httpConfig: { url: 'https://a.example', headers },
  });
  expect(shown.localConfig?.env).toEqual({ ...env, API_KEY: '[hidden]' });
  expect(shown.httpConfig?.headers).toEqual({ Authorization: '[hidden]' });
});
