import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { parseAddresses } from './addresses.ts';
import { composeMail } from './compose-mail.ts';
import { decodeHeaderText, mendMislabelled } from './decode-header-text.ts';
import { htmlToText } from './html-to-text.ts';
import { parseMessage } from './parse-message.ts';

function answerOf(raw: string | Buffer, more: object = {}): Uint8Array {
  const bytes = typeof raw === 'string' ? Buffer.from(raw.replaceAll('\n', '\r\n'), 'latin1') : raw;
  const resource = { id: 'm1', threadId: 't1', labelIds: ['INBOX'], internalDate: '1700000000000' };
  return Buffer.from(JSON.stringify({ ...resource, ...more, raw: bytes.toString('base64url') }));
}

async function read(raw: string | Buffer) {
  return (await parseMessage(answerOf(raw))).message;
}

test.each([
  ['plain text', 'Hello', 'Hello'],
  ['Q', '=?utf-8?Q?Gr=C3=BC=C3=9Fe_an_alle?=', 'Grüße an alle'],
  ['B', '=?UTF-8?B?R3LDvMOfZQ==?=', 'Grüße'],
  ['a character split between two Q words', '=?utf-8?Q?=E2=82?=\r\n =?utf-8?Q?=AC?=', '€'],
  ['a character split between two padded B words', '=?utf-8?B?4oI=?= =?utf-8?B?rA==?=', '€'],
  ['latin1', '=?iso-8859-1?Q?caf=E9?=', 'café'],
  ['ISO-2022-JP', '=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=', '日本'],
  ['a label with a language', '=?utf-8*en?Q?a?=', 'a'],
  ['an unknown label with UTF-8', '=?x-unknown?B?w6k=?=', 'é'],
  ['an unknown label with other bytes', '=?x-unknown?Q?=E9?=', 'é'],
  ['text between words', 'Re: =?utf-8?Q?=C3=A9?= and =?utf-8?Q?=C3=A0?= end', 'Re: é and à end'],
  ['a broken word', '=?utf-8?Q?abc', '=?utf-8?Q?abc'],
])('decodes a header with %s', (_, value, text) => {
  expect(decodeHeaderText(value)).toBe(text);
});

test('mends UTF-8 that came under another label, and nothing else', () => {
  expect(mendMislabelled('CafÃ© â‚¬ 5')).toBe('Café € 5');
  for (const text of ['Café', 'Ã', 'naïve Ã© ñ', '日本Ã©'])
    expect(mendMislabelled(text)).toBe(text);
});

test.each([
  ['paragraphs and breaks', '<p>One<p>Two<br>three', 'One\n\nTwo\nthree'],
  ['rows and cells', '<table><tr><td>a<td>b</tr><tr><td>c</td></tr></table>', 'ab\nc'],
  ['closed cells', '<tr><td>a</td><td>b</td></tr>', 'a b'],
  ['lists', '<ul><li>a<li>b</ul>', '- a\n- b'],
  [
    'links with another text',
    '<a href="https://x.org/?a=1&amp;b">here</a>',
    'here (https://x.org/?a=1&b)',
  ],
  ['links that show their address', '<a href="https://x.org/">https://x.org</a>', 'https://x.org'],
  ['scripts and styles', '<style>p{}</style><script>"<p>"</script>a<title>b</title>', 'a'],
  ['entities', '&lt;b&gt; &eacute;&nbsp;&#128512; &amp', '<b> é 😀 &'],
  ['preformatted text', '<pre>a\n  b</pre>', 'a\n  b'],
  ['pictures', '<img src=x alt="Logo">', 'Logo'],
  ['padding of preheaders', 'a&zwnj;&#847;&shy;b', 'ab'],
  ['what is not closed', '<div><b>a', 'a'],
])('turns HTML with %s into text', (_, html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test('reads HTML of any depth in linear time', () => {
  const started = performance.now();
  expect(htmlToText(`${'<div><a>'.repeat(40_000)}deep${'</span></a>'.repeat(40_000)}`)).toBe(
    'deep',
  );
  expect(performance.now() - started).toBeLessThan(5000);
});

const nested = `From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>
To: a@example.org, "B, C" <b@example.org>
Subject: Nested
Date: Tue, 3 Feb 2026 10:00:00 +0100
Message-ID: <one@example.org>
References: <zero@example.org>
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/related; boundary=r

--r
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

caf=E9 =
and more
--a
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

PHA+SFRNTDwvcD4=
--a--
--r
Content-Type: image/png
Content-ID: <logo>
Content-Transfer-Encoding: base64

AAAA
--r--
--m
Content-Type: application/pdf; name="=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?="
Content-Disposition: attachment
Content-Transfer-Encoding: base64

JVBERg==
--m
Content-Type: application/octet-stream
Content-Disposition: attachment; filename*0*=utf-8''%E6%97%A5; filename*1*=%E6%9C%AC.bin
Content-Transfer-Encoding: base64

eA==
--m
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="日本.bin"
Content-Transfer-Encoding: base64

eXk=
--m
Content-Type: message/rfc822
Content-Disposition: attachment

Subject: inner

inner text
--m--
`;

test('reads text and attachments out of nested parts', async () => {
  const message = await read(Buffer.from(nested.replaceAll('\n', '\r\n')));
  expect(message).toMatchObject({
    id: 'm1',
    threadId: 't1',
    subject: 'Nested',
    sender: 'Jürgen <j@example.org>',
    to: 'a@example.org, "B, C" <b@example.org>',
    recipients: ['a@example.org', 'b@example.org'],
    date: '2026-02-03T09:00:00.000Z',
    messageId: '<one@example.org>',
    references: '<zero@example.org>',
    body: 'café and more',
    attachments: [
      { name: 'Grüße.pdf', mimeType: 'application/pdf', size: 4 },
      { name: '日本.bin', size: 1 },
      { name: '日本 (2).bin', size: 2 },
      { name: 'mail.eml', mimeType: 'message/rfc822' },
    ],
  });
  const { content } = await parseMessage(answerOf(Buffer.from(nested)), '日本 (2).bin');
  expect(Buffer.from(content ?? []).toString()).toBe('yy');
});

test.each([
  ['HTML only', 'text/html', '<p>Hi <b>you</b></p>', 'Hi you'],
  ['windows-1252', 'text/plain; charset=windows-1252', 'a \x93b\x94 \x80', 'a “b” €'],
  ['latin1', 'text/plain; charset=latin1', 'caf\xe9', 'café'],
  ['ISO-2022-JP', 'text/plain; charset=ISO-2022-JP', '\x1b$BF|K\\\x1b(B', '日本'],
  ['a label that nobody knows', 'text/plain; charset=x-none', 'caf\xc3\xa9', 'café'],
  ['a wrong label', 'text/plain; charset=iso-8859-1', 'caf\xc3\xa9', 'café'],
  ['no label', 'text/plain', 'caf\xc3\xa9', 'café'],
  ['a broken type', 'text plain;;; charset', 'hello', 'hello'],
  ['nothing', 'text/plain', '', ''],
])('reads a body with %s', async (_, type, body, text) => {
  expect((await read(`Subject: s\nContent-Type: ${type}\n\n${body}`)).body).toBe(text);
});

test('takes the HTML when the text beside it is empty', async () => {
  const raw = `Subject: s
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain

\x20
--a
Content-Type: text/html

<p>Only here</p>
--a--`;
  expect(await read(raw)).toMatchObject({ body: 'Only here', attachments: [] });
});

test('keeps the headers that say how to answer, and that no person wrote a mail', async () => {
  const raw = `From: Mail Delivery <mailer-daemon@x.org>
Return-Path: <>
Auto-Submitted: auto-replied
Precedence: bulk
List-Id: The list <list.x.org>
X-Failed-Recipients: d@example.org
Cc: =?utf-8?Q?J=C3=BC?=
 <j@example.org>
X-Other: nothing

text`;
  expect((await read(raw)).headers).toEqual({
    cc: 'Jü <j@example.org>',
    'return-path': '<>',
    'auto-submitted': 'auto-replied',
    precedence: 'bulk',
    'list-id': 'The list <list.x.org>',
    'x-failed-recipients': 'd@example.org',
  });
});

test('leaves out characters that steer terminals', async () => {
  const raw = `Subject: a=?utf-8?Q?=1B[2J=00=0D=0Ab?=
From: =?utf-8?Q?A=9B31m?= <a@x.org>
Content-Type: text/plain; charset=utf-8

one\x1b[31m two\x00\x07\ttab\rthree`;
  expect(await read(raw)).toMatchObject({
    subject: 'a[2J b',
    body: 'one[31m two\ttab\nthree',
  });
  expect(htmlToText('a&#27;b')).toBe('a\x1bb');
  expect((await read('Content-Type: text/html\n\na&#27;b')).body).toBe('ab');
});

test('reads what has no headers, no date and no end', async () => {
  expect(await read('')).toMatchObject({ subject: '', sender: '', body: '', attachments: [] });
  const torn = 'Subject: s\nDate: never\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\nhalf';
  expect(await read(torn)).toMatchObject({ body: 'half', date: '2023-11-14T22:13:20.000Z' });
});

const noOne = { to: [], cc: [], bcc: [], isHtml: false } as const;

test('composes what another reader reads back, in lines of ASCII that no server breaks', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const headerText = text.map((value) => value.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
  const mails = fc.record({
    subject: headerText,
    name: headerText,
    body: text,
    isHtml: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(mails, async ({ subject, name, body, isHtml }) => {
      const to = [{ name, address: 'a@example.org' }];
      const raw = composeMail({ ...noOne, to, subject, body, isHtml, key: 'k' });
      expect(raw).toMatch(/^[\t\r\n -~]*$/);
      expect(raw.split('\r\n').every((line) => line.length <= 78 && !/[\r\n]/.test(line))).toBe(
        true,
      );
      const parsed = await PostalMime.parse(raw);
      expect(parsed.subject ?? '').toBe(subject);
      expect(parsed.to).toEqual(to);
      const lines = (value = '') => value.replace(/\r\n|\r/g, '\n').replace(/\n$/, '');
      expect(lines(isHtml ? parsed.html : parsed.text)).toBe(lines(body));
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('composes replies, copies and HTML with its text', async () => {
  const raw = composeMail({
    to: parseAddresses('to', '"Doe, J." <j@example.org>, Ada <a@Bücher.example>'),
    cc: parseAddresses('cc', 'c@example.org'),
    bcc: parseAddresses('bcc', 'd@example.org'),
    subject: 'Re: hi',
    body: '<p>Hello</p>',
    isHtml: true,
    inReplyTo: '<b@x>',
    references: '<a@x> <b@x>',
  });
  const mail = await PostalMime.parse(raw);
  expect(mail).toMatchObject({
    inReplyTo: '<b@x>',
    references: '<a@x> <b@x>',
    to: [
      { name: 'Doe, J.', address: 'j@example.org' },
      { name: 'Ada', address: 'a@xn--bcher-kva.example' },
    ],
    cc: [{ address: 'c@example.org' }],
    bcc: [{ address: 'd@example.org' }],
  });
  expect(mail.text?.trim()).toBe('Hello');
  expect(mail.html?.trim()).toBe('<p>Hello</p>');
});

test.each([
  'a@example.org\r\nBcc: evil@example.org',
  'a@example.org\nevil@example.org',
  'Team: a@example.org, b@example.org;',
  'a@example.org b@example.org',
  'a@example.org <b@example.org> c',
  '<a@example.org',
  'a@@example.org',
  'a@example',
  'a@-example.org',
  '"a b"@example.org',
  'a\u0000@example.org',
  'a\u2028@example.org',
  '=?utf-8?q?=0d=0aBcc:?= a@example.org',
  'a@[127.0.0.1]',
  '.a@example.org',
  'nobody',
  '"a@example.org',
  'a@example.org, "b@example.org',
])('refuses %j as recipients', (text) => {
  expect(() => parseAddresses('to', text)).toThrow(/^to /);
});
