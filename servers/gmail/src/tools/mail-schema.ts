import { McpError } from '@errand/server-kit';
import * as z from 'zod';
import type { MailMessage } from '../mime/parse-message.ts';

/** An id that Gmail gave. */
const gmailId = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{1,200}$/, 'this is no id of Gmail');

export const messageId = gmailId.describe('Gmail message id, as list_emails gives it');
export const threadId = gmailId.describe('Gmail thread id, as get_email gives it');
export const draftId = gmailId.describe('Gmail draft id, as list_drafts gives it');

export const idempotencyKey = z
  .string()
  .regex(/^[!-~]{1,200}$/, 'use 1 to 200 letters, digits and signs without spaces')
  .describe('Names this mail, so that it is sent once even after a crash');

export const cursorField = z
  .string()
  .trim()
  .regex(/^[!-~]{1,1000}$/, 'this is no cursor of this tool')
  .optional()
  .describe('next_cursor of the page before');

export const emailSummary = z.object({
  id: z.string(),
  subject: z.string(),
  sender: z.string(),
  date: z.string().describe('ISO 8601'),
  snippet: z.string(),
});

export const emailFull = z.object({
  id: z.string(),
  subject: z.string(),
  sender: z.string(),
  to: z.string(),
  date: z.string().describe('ISO 8601'),
  body: z.string().describe('Plain text'),
  has_attachments: z.boolean(),
  attachment_names: z.array(z.string()),
  thread_id: z.string(),
  labels: z.array(z.string()),
  message_id_header: z.string().nullable(),
  headers: z
    .record(z.string(), z.string())
    .describe(
      'cc, reply-to, in-reply-to, references, auto-submitted and the like, if the mail has them',
    ),
  truncated: z.boolean().describe('Whether the body goes on'),
  next_cursor: z.string().optional(),
});

/** A page of a body: about so many characters, never half of one. */
export interface BodyPage {
  readonly body: string;
  readonly truncated: boolean;
  readonly next_cursor?: string;
}

/** Cuts a body into pages; a cursor is where the next one begins. */
export function bodyPage(text: string, limit: number, cursor?: string): BodyPage {
  const from = Number(cursor ?? 0);
  if (!/^\d{1,15}$/.test(cursor ?? '0') || from > text.length) {
    throw new McpError('invalid_input', 'The cursor is not one of this mail. Start without it.');
  }
  const most = from + limit;
  if (most >= text.length) return { body: text.slice(from), truncated: false };
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  const isTorn = /[\ud800-\udbff]/.test(text[most - 1] ?? '');
  const to = lineEnd > from + limit / 2 ? lineEnd : most - (isTorn ? 1 : 0);
  return { body: text.slice(from, to), truncated: true, next_cursor: String(to) };
}

/** A message as the tools show it. */
export function showMessage(
  message: MailMessage,
  labels: readonly string[],
  page: BodyPage,
): z.infer<typeof emailFull> {
  const { id, subject, sender, to, date, threadId: thread, attachments } = message;
  return {
    id,
    subject,
    sender,
    to,
    date,
    ...page,
    has_attachments: attachments.length > 0,
    attachment_names: attachments.map(({ name }) => name),
    thread_id: thread,
    labels: [...labels],
    message_id_header: message.messageId ?? null,
    headers: { ...message.headers },
  };
}

export const idsOnly = z
  .boolean()
  .default(false)
  .describe('Ids without summaries: one request to Gmail instead of one for each mail');

export const onlyIds = z.array(z.string()).optional().describe('With ids_only');
