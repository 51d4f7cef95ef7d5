import { createHash } from 'node:crypto';
import PostalMime, { type Address, type Attachment, addressParser, type Email } from 'postal-mime';
import { decodeHeaderText, mendMislabelled, withoutControls } from './decode-header-text.ts';
import { htmlToText } from './html-to-text.ts';

/** A message of the mailbox, decoded. */
export interface MailMessage {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds: readonly string[];
  /** When Gmail took it in, in milliseconds. */
  readonly receivedAt: number;
  readonly subject: string;
  readonly sender: string;
  readonly to: string;
  /** When it was written, or else when it was taken in; ISO 8601. */
  readonly date: string;
  readonly messageId: string | undefined;
  readonly references: string | undefined;
  /** Addresses in To, Cc and Bcc, in lower case and sorted. */
  readonly recipients: readonly string[];
  readonly body: string;
  /** Tells bodies and attachments apart, however their lines are wrapped and encoded. */
  readonly contentHash: string;
  /** The ledger's key that our own drafts carry. */
  readonly errandKey: string | undefined;
  readonly attachments: readonly MailAttachment[];
  /** Further headers that say how to answer a mail, or that no person wrote it; those that it has. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface MailAttachment {
  /** Unique among the attachments of its message. */
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

/** A message and the content of the attachment that was asked for. */
export interface ParsedMessage {
  readonly message: MailMessage;
  readonly content?: Uint8Array;
}

/** Decodes a message or a draft that Gmail answered with `format=raw`. */
export async function parseMessage(
  answer: Uint8Array,
  attachmentName?: string,
): Promise<ParsedMessage> {
  const { id, threadId, labelIds, internalDate, raw } = readResource(answer);
  const email = await PostalMime.parse(Buffer.from(raw, 'base64url'));
  const receivedAt = Number(internalDate) || 0;
  const header = (key: string) => headerOf(email, key, plainHeader);
  const addresses = (key: string) => headerOf(email, key, plainAddresses);
  const named = nameAttachments(email.attachments);
  const body = bodyOf(email);
  const wanted = named.find(({ name }) => name === attachmentName);
  return {
    message: {
      id,
      threadId,
      labelIds,
      receivedAt,
      subject: header('subject') ?? '',
      sender: addresses('from') ?? '',
      to: addresses('to') ?? '',
      date: isoDate(header('date'), receivedAt),
      messageId: header('message-id'),
      references: header('references'),
      recipients: recipientsOf(email),
      body,
      contentHash: hashContent(
        body,
        email.html ?? '',
        named.map(({ name, size }) => `${name} ${size}`),
      ),
      errandKey: header('x-errand-key'),
      attachments: named.map(({ name, mimeType, size }) => ({ name, mimeType, size })),
      headers: Object.fromEntries(
        shownHeaders.flatMap((key) => {
          const read = addressHeaders.has(key) ? addresses : header;
          const value = read(key)?.slice(0, longestHeader);
          return value === undefined ? [] : [[key, value]];
        }),
      ),
    },
    ...(wanted && { content: wanted.content }),
  };
}

const shownHeaders = [
  'cc',
  'reply-to',
  'in-reply-to',
  'references',
  'return-path',
  'auto-submitted',
  'precedence',
  'list-id',
  'list-unsubscribe',
  'x-failed-recipients',
] as const;

const addressHeaders: ReadonlySet<string> = new Set(['cc', 'reply-to', 'x-failed-recipients']);

const longestHeader = 4000;

/** A hash over what a reader sees of a mail. White space is left out because mailers wrap lines anew. */
function hashContent(body: string, html: string, attachments: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of [body, html, attachments.join('\n')]) {
    hash.update(text.replace(/\s+/g, ' ').trim()).update('\0');
  }
  return hash.digest('hex');
}

/** Decodes what Gmail gives as text with entities: its snippets. */
export function decodeSnippet(snippet: string | null | undefined): string {
  return withoutControls(htmlToText(snippet ?? ''));
}

/** The date of a mail as ISO 8601; a header that is no date gives way to the time of arrival. */
export function isoDate(header: string | undefined, receivedAt: number): string {
  const written = Date.parse(header ?? '');
  return new Date(Number.isNaN(written) ? receivedAt : written).toISOString();
}

interface RawMessage {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds: readonly string[];
  readonly internalDate: string;
  readonly raw: string;
}

function readResource(answer: Uint8Array): RawMessage {
  const resource = JSON.parse(
    Buffer.from(answer.buffer, answer.byteOffset, answer.length).toString(),
  );
  const { id, threadId, labelIds, internalDate, raw } = resource.message ?? resource;
  return {
    id: String(id ?? ''),
    threadId: String(threadId ?? ''),
    labelIds: Array.isArray(labelIds) ? labelIds.map(String) : [],
    internalDate: String(internalDate ?? ''),
    raw: String(raw ?? ''),
  };
}

function headerOf(
  { headers }: Email,
  key: string,
  read: (value: string) => string,
): string | undefined {
  const found = headers.find((header) => header.key === key)?.value.trim();
  return found === undefined || found === '' ? undefined : read(found);
}

/** The value of a header, decoded and on one line. */
export function plainHeader(value: string): string {
  return onOneLine(decodeHeaderText(value));
}

/** The value of a header with addresses. A name in it cannot show an address: brackets that were encoded are left out. */
export function plainAddresses(value: string): string {
  return onOneLine(decodeHeaderText(value, (word) => word.replace(/[<>]/g, '')));
}

function onOneLine(text: string): string {
  return withoutControls(mendMislabelled(text).replace(/[\r\n\t\u2028\u2029]+/g, ' ')).trim();
}

function bodyOf({ text = '', html = '', attachments }: Email): string {
  const [untyped] = attachments.filter(isUntyped);
  const own = untyped === undefined ? text : new TextDecoder().decode(bytesOf(untyped));
  const plain = withoutControls(mendMislabelled(own).replace(/\r\n?/g, '\n')).trim();
  // Some mailers send an empty text part beside the HTML that holds everything.
  return plain === '' ? withoutControls(htmlToText(mendMislabelled(html))) : plain;
}

/** A part whose type cannot be understood is text, by RFC 2045. */
function isUntyped({ mimeType, filename }: Attachment): boolean {
  return !mimeType.includes('/') && filename === null;
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

function recipientsOf({ headers }: Email): readonly string[] {
  const addresses = headers
    .filter(({ key }) => ['to', 'cc', 'bcc'].includes(key))
    .flatMap(({ value }) => addressParser(value, { flatten: true }))
    .flatMap(({ address }: Address) => (address ? [address.toLowerCase()] : []));
  return [...new Set(addresses)].sort();
}

interface NamedAttachment extends MailAttachment {
  readonly content: Uint8Array;
}

function nameAttachments(attachments: readonly Attachment[]): readonly NamedAttachment[] {
  const taken = new Set<string>();
  return attachments
    .filter((part) => !isUntyped(part) && (!part.related || part.disposition === 'attachment'))
    .map((part, index) => {
      const { filename, mimeType } = part;
      const name = freeName(cleanName(filename) || defaultName(mimeType, index), taken);
      taken.add(name);
      const content = bytesOf(part);
      return { name, mimeType, size: content.length, content };
    });
}

function defaultName(mimeType: string, index: number): string {
  if (mimeType === 'message/rfc822') return 'mail.eml';
  if (mimeType === 'message/delivery-status') return 'delivery-status.txt';
  return mimeType === 'text/calendar' ? 'invitation.ics' : `attachment-${index + 1}`;
}

function cleanName(filename: string | null): string {
  const decoded = mendMislabelled(decodeHeaderText(filename ?? ''));
  return withoutControls(decoded.replace(/[\t\r\n]/g, '')).trim();
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,12})?$/.exec(name) ?? [];
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? name : `${stem} (${copy})${extension}`;
    if (!taken.has(candidate)) return candidate;
  }
}
