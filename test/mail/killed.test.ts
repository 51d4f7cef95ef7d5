import { expect, test } from 'vitest';
import { killMail } from './kill-mail.ts';

test('kill -9 of the mailroom, of its servers and of both at their steps: no mail is lost, doubled, sent twice or sent unapproved', {
  timeout: 240_000,
}, async () => {
  expect((await killMail(1, 5, 6)).flaws).toEqual([]);
});
