import { createHash } from 'node:crypto';
import { McpError } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailApi } from '../api/gmail-api.ts';
import { parseAddresses, refuseControls } from '../mime/addresses.ts';
import { composeMail, type OutgoingMail } from '../mime/compose-mail.ts';
import { type MailMessage, parseMessage, plainHeader } from '../mime/parse-message.ts';
import { messageId } from '../tools/mail-schema.ts';

/** What a person or a model says about a mail that is to go out. */
export const outgoingFields = {
  subject: z.string().max(2000).describe('The subject line'),
  body: z.string().max(5_000_000).describe('Plain text, or HTML'),
  body_type: z
    .enum(['text', 'html'])
    .optional()
    .describe('What the body is; recognised when absent. HTML goes out with a text part beside it'),
  cc: z.string().optional().describe('Recipients of a copy, separated by commas'),
  bcc: z.string().optional().describe('Recipients of a hidden copy, separated by commas'),
  reply_to_message_id: messageId
    .nullish()
    .describe('The Gmail id of the mail that this one answers; it then joins its thread'),
  keep_subject: z
    .boolean()
    .optional()
    .describe('An answer leaves with exactly this subject, instead of that of its thread'),
};

interface OutgoingInput {
  readonly to?: string | undefined;
  readonly subject: string;
  readonly body: string;
  readonly body_type?: 'text' | 'html' | undefined;
  readonly cc?: string | undefined;
  readonly bcc?: string | undefined;
  readonly reply_to_message_id?: string | null | undefined;
  readonly keep_subject?: boolean | undefined;
}

/** A mail as it was asked for and checked, before anything is known of the mail that it answers. */
export interface OutgoingRequest
  extends Pick<OutgoingMail, 'to' | 'cc' | 'bcc' | 'subject' | 'body' | 'isHtml'> {
  readonly replyTo: string | undefined;
  readonly keepsSubject: boolean;
}

/** A mail as it goes to Gmail. */
export interface PreparedMail {
  readonly raw: string;
  readonly threadId: string | undefined;
  /** The mail as it reads when it comes back from Gmail. */
  readonly approved: MailMessage;
}

/** Checks every field that becomes a header. */
export function readOutgoing(input: OutgoingInput): OutgoingRequest {
  refuseControls('subject', input.subject);
  return {
    to: parseAddresses('to', input.to ?? ''),
    cc: parseAddresses('cc', input.cc ?? ''),
    bcc: parseAddresses('bcc', input.bcc ?? ''),
    subject: input.subject.trim(),
    body: input.body,
    isHtml: input.body_type === undefined ? looksLikeHtml(input.body) : input.body_type === 'html',
    replyTo: input.reply_to_message_id ?? undefined,
    keepsSubject: input.keep_subject === true,
  };
}

/** Tells mails apart: the same recipients, subject, body and answered mail give the same hash. */
export function hashRequest(
  { to, cc, bcc, subject, body, isHtml, replyTo, keepsSubject }: OutgoingRequest,
  key?: string,
): string {
  const lists = [to, cc, bcc].map((list) =>
    list.map(({ address }) => address.toLowerCase()).sort(),
  );
  // Under a key a mail stays the same one, also over an upgrade.
  const kept = keepsSubject && key === undefined ? [true] : [];
  const text = JSON.stringify([lists, subject, body, isHtml, replyTo ?? null, ...kept]);
  return createHash('sha256').update(text).digest('hex');
}

/** The trace of a key that a draft carries. */
export function markOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** Looks up the mail that is answered and writes the mail. */
export async function prepareMail(
  api: Pick<GmailApi, 'getHeaders'>,
  request: OutgoingRequest,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<PreparedMail> {
  const { replyTo, keepsSubject, ...mail } = request;
  const reply = replyTo === undefined ? undefined : await lookUp(api, replyTo, signal);
  const isKept = keepsSubject || reply === undefined;
  const raw = composeMail({
    ...mail,
    subject: isKept ? mail.subject : replySubject(mail.subject, reply.subject),
    inReplyTo: reply?.messageId,
    references: reply?.references,
    key: key === undefined ? undefined : markOf(key),
  });
  const resource = { id: '', raw: Buffer.from(raw).toString('base64url') };
  const { message } = await parseMessage(Buffer.from(JSON.stringify(resource)));
  return { raw, threadId: reply?.threadId, approved: message };
}

function looksLikeHtml(body: string): boolean {
  return /^\s*<(?:!doctype\s+html|html|head|body|p|div|table|h[1-6]|ul|ol|span|b|i|strong|em|a|br|img)(?=[\s/>])[^>]*>/i.test(
    body,
  );
}

interface Answered {
  readonly threadId: string;
  readonly subject: string;
  readonly messageId: string | undefined;
  readonly references: string | undefined;
}

const threadHeaders = ['Message-ID', 'References', 'In-Reply-To', 'Subject'];

async function lookUp(
  api: Pick<GmailApi, 'getHeaders'>,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  const { threadId, payload } = await api.getHeaders(id, threadHeaders, signal);
  const header = (name: string) =>
    payload?.headers?.find((each) => each.name?.toLowerCase() === name)?.value ?? '';
  const [own] = messageIds(header('message-id'));
  const earlier = messageIds(header('references') || header('in-reply-to'));
  const chain = [...new Set([...earlier, ...(own === undefined ? [] : [own])])];
  if (!threadId) {
    throw new McpError(
      'mcp_unavailable',
      `Gmail did not say which thread ${id} belongs to. Try again.`,
    );
  }
  return {
    threadId,
    // What strangers wrote must not end our header.
    subject: plainHeader(header('subject')),
    messageId: own,
    // Long threads keep their first mail and the latest ones.
    references:
      chain.length === 0
        ? undefined
        : [...chain.slice(0, 1), ...chain.slice(1).slice(-40)].join(' '),
  };
}

function messageIds(header: string): readonly string[] {
  return header.match(/<[!-;=?-~]{1,250}>/g) ?? [];
}

const prefix = /^(?:\s*(?:re|aw|sv|antw)\s*(?:\[\d+\])?:\s*)+/i;

/** Gmail keeps a reply in its thread only under the same subject. */
function replySubject(given: string, answered: string): string {
  const bare = (subject: string) =>
    subject.replace(prefix, '').replace(/\s+/g, ' ').trim().toLowerCase();
  if (bare(given) === bare(answered) && prefix.test(given)) return given;
  return prefix.test(answered) ? answered : `Re: ${answered}`;
}
