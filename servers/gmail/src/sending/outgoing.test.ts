import { expect, test } from 'vitest';
import { prepareMail, readOutgoing } from './outgoing.ts';

const mail = { to: 'a@example.org', subject: 's' };

test.each([
  ['<p>Hello</p>', true],
  ['\n<!DOCTYPE html><html><body>x', true],
  ['<div class="a">x</div>', true],
  ['Hello <b>you</b>', false],
  ['<a@example.org> wrote:', false],
  ['<p.smith@example.org> asked', false],
  ['< 5 apples', false],
])('recognises whether %j is HTML', (body, isHtml) => {
  expect(readOutgoing({ ...mail, body }).isHtml).toBe(isHtml);
});

test('lets the caller say what a body is', () => {
  expect(readOutgoing({ ...mail, body: '<p>x', body_type: 'text' }).isHtml).toBe(false);
  expect(readOutgoing({ ...mail, body: 'x', body_type: 'html' }).isHtml).toBe(true);
});

test('an answer is prepared for the thread of its mail, which Gmail does not guess', async () => {
  const headers = [{ name: 'Message-ID', value: '<one@x>' }];
  const getHeaders = async () => ({ threadId: 't1', payload: { headers } });
  const answer = { ...mail, body: 'Text', reply_to_message_id: 'm1' };
  const prepared = await prepareMail({ getHeaders }, readOutgoing(answer), undefined);
  expect(prepared.threadId).toBe('t1');
  expect(prepared.raw).toContain('In-Reply-To: <one@x>');
  const alone = await prepareMail({ getHeaders }, readOutgoing({ ...mail, body: 'x' }), undefined);
  expect(alone.threadId).toBeUndefined();
});
