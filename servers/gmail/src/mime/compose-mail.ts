import { randomBytes } from 'node:crypto';
import type { Mailbox } from './addresses.ts';
import { htmlToText } from './html-to-text.ts';

/** A mail that is ready to be written down. Its texts are checked: no control characters in headers. */
export interface OutgoingMail {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly subject: string;
  readonly body: string;
  readonly isHtml: boolean;
  /** The Message-ID of the mail that this one answers. */
  readonly inReplyTo?: string | undefined;
  readonly references?: string | undefined;
  /** The ledger's key. */
  readonly key?: string | undefined;
}

/** The text of a mail beside its HTML, or its only text. */
function textOf({ body, isHtml }: Pick<OutgoingMail, 'body' | 'isHtml'>): string {
  return isHtml ? htmlToText(body) : body;
}

/** Writes a mail as Internet message (RFC 5322, RFC 2045): ASCII, lines of at most 76 characters, CRLF. */
export function composeMail(mail: OutgoingMail): string {
  const headers = [
    addressHeader('To', mail.to),
    addressHeader('Cc', mail.cc),
    addressHeader('Bcc', mail.bcc),
    `Subject: ${foldWords('Subject: '.length, encodeText(mail.subject))}`,
    mail.inReplyTo && `In-Reply-To: ${mail.inReplyTo}`,
    mail.references && `References: ${mail.references.split(/\s+/).join('\r\n ')}`,
    mail.key && `X-Errand-Key: ${mail.key}`,
    'MIME-Version: 1.0',
  ].filter((line) => line !== undefined && line !== '');
  return `${headers.join('\r\n')}\r\n${bodyPart(mail)}`;
}

function bodyPart(mail: OutgoingMail): string {
  if (!mail.isHtml) return textPart('plain', mail.body);
  const boundary = `=_${randomBytes(12).toString('hex')}`;
  return [
    `Content-Type: multipart/alternative; boundary="${boundary}"\r\n`,
    `--${boundary}\r\n${textPart('plain', textOf(mail))}`,
    `--${boundary}\r\n${textPart('html', mail.body)}`,
    `--${boundary}--\r\n`,
  ].join('\r\n');
}

function textPart(kind: 'plain' | 'html', text: string): string {
  return [
    `Content-Type: text/${kind}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    quotedPrintable(text),
  ].join('\r\n');
}

function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => softBreaks(encodeLine(line)))
    .join('\r\n');
}

function encodeLine(line: string): string {
  const encoded = line.replace(/[^\t -<>-~]+|=/gu, hexBytes);
  // White space at the end of a line may get lost on the way.
  return encoded.replace(/[\t ]$/, hexBytes);
}

function hexBytes(text: string): string {
  return [...Buffer.from(text)].map((byte) => `=${hex(byte)}`).join('');
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

/** Lines have at most 76 characters, and no encoded byte is torn. */
function softBreaks(line: string): string {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > 76) {
    const torn = rest.slice(73, 75).indexOf('=');
    const end = torn < 0 ? 75 : 73 + torn;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest].join('=\r\n');
}

function addressHeader(name: string, mailboxes: readonly Mailbox[]): string | undefined {
  if (mailboxes.length === 0) return undefined;
  const entries = mailboxes.map((mailbox) => {
    if (mailbox.name === '') return mailbox.address;
    const shown = displayName(mailbox.name);
    const gap = shown.length + mailbox.address.length > 60 ? '\r\n ' : ' ';
    return `${shown}${gap}<${mailbox.address}>`;
  });
  return `${name}: ${entries.join(',\r\n ')}`;
}

function displayName(name: string): string {
  if (!isPlain(name) || name.length > 60) return encodedWords(name).join('\r\n ');
  return /^[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*$/.test(name)
    ? name
    : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text) && !text.includes('=?');
}

/** The words of a header, which may be folded between any two of them. */
function encodeText(text: string): readonly string[] {
  const words = text.split(' ');
  return isPlain(text) && words.every((word) => word.length < 60) ? words : encodedWords(text);
}

/** Text as encoded words (RFC 2047), which hold no sign that means something in a header. */
function encodedWords(text: string): readonly string[] {
  const words: string[] = [];
  let piece = '';
  for (const letter of text) {
    // An encoded word has at most 75 characters: 45 bytes in base64, and its frame.
    if (Buffer.byteLength(piece + letter) > 39) {
      words.push(piece);
      piece = '';
    }
    piece += letter;
  }
  if (piece !== '') words.push(piece);
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`);
}

function foldWords(used: number, words: readonly string[]): string {
  let line = used;
  let text = '';
  for (const [index, word] of words.entries()) {
    const isFolded = index > 0 && word !== '' && line + 1 + word.length > 76;
    if (index > 0) text += isFolded ? '\r\n ' : ' ';
    line = isFolded ? 1 + word.length : line + 1 + word.length;
    text += word;
  }
  return text;
}
