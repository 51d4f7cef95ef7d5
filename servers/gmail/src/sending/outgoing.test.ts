import { expect, test } from 'vitest';
import { readOutgoing } from './outgoing.ts';

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
