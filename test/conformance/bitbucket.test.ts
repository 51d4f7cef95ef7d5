import { expect, test } from 'vitest';
import { askReferee } from './ask-referee.ts';

test('the Bitbucket server passes the scenarios of the official referee that any server can pass', async () => {
  expect(await askReferee('bitbucket', ['--url', 'http://127.0.0.1:9'])).toEqual([]);
}, 60_000);
