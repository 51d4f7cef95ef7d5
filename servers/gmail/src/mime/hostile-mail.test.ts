import { expect, test } from 'vitest';
import { useServer } from '../testing/use-server.ts';

const shared = useServer();

const head = 'From: Eve <eve@example.org>\r\nTo: owner@example.org\r\nSubject: s\r\n';
const html = `${head}Content-Type: text/html\r\n\r\n`;
const mixed = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;

function nested(depth: number): string {
  const parts = Array.from(
    { length: depth },
    (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at + 1}\r\n\r\n`,
  );
  return `${head}Content-Type: multipart/mixed; boundary=b0\r\n\r\n${parts.join('')}--b${depth}\r\n\r\ndeep`;
}

function attached(name: string): string {
  return `--b\r\nContent-Disposition: attachment; ${name}\r\n\r\nx\r\n`;
}

test.each<[string, string, object]>([
  ['100 nested parts', nested(100), { body: 'deep' }],
  ['3000 nested parts', nested(3000), { error: 'parse_error' }],
  ['a recipient of brackets', head.replace('owner@example.org', '('.repeat(60_000)), { body: '' }],
  ['a recipient of quotes', head.replace('owner@example.org', '"'.repeat(60_001)), { body: '' }],
  ['groups in groups', head.replace('owner@example.org', 'g:'.repeat(30_000)), { body: '' }],
  ['16,000 headers', `${head}${'X: y\r\n'.repeat(16_000)}\r\nb`, { body: 'b' }],
  ['a subject of torn words', head.replace(': s', `: ${'=?utf-8?B?4oI=?= '.repeat(5000)}`), {}],
  ['tags that are not closed', `${html}${'<a href="https://x.org">t'.repeat(3500)}`, {}],
  ['tags that are not opened', `${html}<a href="https://x.org">t${'</a>'.repeat(20_000)}`, {}],
  ['90,000 brackets', `${html}${'<'.repeat(90_000)}`, {}],
  ['entities of no character', `${html}${'&#x110000;&#0;&#xD800;'.repeat(3000)}ok`, {}],
  ['a pattern as boundary', `${mixed.replace('=b', '="(a+)+$"')}--(a+)+$\r\n\r\nhello`, {}],
  ['names of prototypes', `${mixed}${attached('filename=__proto__')}--b--`, {}],
  [
    '1,500 files of one name',
    `${mixed}${attached('filename=a.txt').repeat(1500)}--b--`,
    { has_attachments: true },
  ],
  [
    'a path as name',
    `${mixed}${attached("filename*=utf-8''..%2f..%2fetc%2f%0d%0apasswd")}--b--`,
    { attachment_names: ['../../etc/passwd'] },
  ],
  [
    'a name of nothing and one that steers terminals',
    `${mixed}${attached('filename=""')}${attached("filename*=utf-8''a%C2%9B31m.txt")}--b--`,
    { attachment_names: ['attachment-1', 'a31m.txt'] },
  ],
  [
    'the address of somebody else in its name',
    head.replace('Eve', '=?utf-8?Q?Ada_=3Cada@example.org=3E?='),
    { sender: 'Ada ada@example.org <eve@example.org>' },
  ],
  [
    'the address of somebody else after its own',
    head.replace('Eve <eve@example.org>', 'eve@example.org =?utf-8?B?PGFkYUBleGFtcGxlLm9yZz4=?='),
    { sender: 'eve@example.org ada@example.org' },
  ],
  [
    'a label of a character set that is code',
    `${head}Content-Type: text/plain; charset=constructor\r\n\r\nok`,
    { body: 'ok' },
  ],
])('reads or refuses a mail with %s', async (_, raw, expected) => {
  const { id } = await shared.mailbox.insert(raw);
  const answer = await shared.call('get_email', { message_id: id });
  expect(answer).toMatchObject(expected);
  expect(['parse_error', undefined]).toContain(answer.error);
  expect(await shared.call('health_check')).toHaveProperty('status');
});

test('tells a notice of failed delivery from a mail', async () => {
  const { id } = await shared.mailbox.insert(
    [
      `${mixed.replace('multipart/mixed', 'multipart/report; report-type=delivery-status')}--b`,
      'Content-Type: text/plain\r\n\r\nFailed\r\n--b',
      'Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; d@example.org\r\n--b',
      'Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nx\r\n--b--',
    ].join('\r\n'),
  );
  expect(await shared.call('get_email', { message_id: id })).toMatchObject({
    body: 'Failed',
    attachment_names: ['delivery-status.txt', 'mail.eml'],
  });
});
