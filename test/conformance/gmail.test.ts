import { expect, test } from 'vitest';
import { askReferee } from './ask-referee.ts';

test('the Gmail server passes the scenarios of the official referee that any server can pass', async () => {
  expect(await askReferee('gmail', ['--vault', '.'])).toEqual([]);
}, 60_000);
