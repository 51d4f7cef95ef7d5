import { expect, test } from 'vitest';
import { addressIn } from './draft-note.ts';
import { gateMail, type RawMail } from './mail-note.ts';
import { rawMail } from './testing/sample-mail.ts';

function gate(part: Partial<RawMail>) {
  return gateMail({ ...rawMail, ...part });
}

test.each<[string, Partial<RawMail>]>([
  ['the subject, named by the sender', { from: 'Your login code <a@b.org>', subject: '938104' }],
  ['the name of the sender', { from: '"938104" <a@b.org>', subject: 'is your code' }],
  ['the text, named by the subject', { subject: 'Your login code', body: '938104' }],
  ['a comment behind the sender', { from: 'a@b.org (your PIN is 938104)' }],
  ['brackets around what is no address', { from: 'Ada <your PIN is 938104>' }],
  ['a name among recipients', { to: 'a@b.org, "PIN 938104" <c@d.org>' }],
])('a code is taken out of %s', (_, part) => {
  expect(JSON.stringify(gate(part))).not.toContain('938104');
});

test.each([
  ['a long name', `${'x '.repeat(400)}<ada@example.org>`],
  ['a name that is a password', '"Password: hunter2" <ada@example.org>'],
  ['a bare address', 'ada@example.org'],
  ['digits in its address', 'Your login code <ada@example.org>'],
  ['two addresses', 'Eve <eve@example.org>, Ada <ada@example.org>'],
])('a sender with %s keeps the address', (_, from) => {
  const gated = gate({ from });
  expect(addressIn(gated.from)).toBe('ada@example.org');
  expect(gated).toMatchObject({ subject: rawMail.subject, body: rawMail.body });
});
