import { McpError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailContext } from '../gmail-context.ts';
import { writeAudit } from '../sending/audit-log.ts';
import { outgoingFields, readOutgoing } from '../sending/outgoing.ts';
import { idempotencyKey } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';

/** `send_email`: sends a mail once, however often it is asked for. */
export function sendEmailTool(context: GmailContext): ToolDefinition {
  const { sender, recipients, audit, now } = context;
  return mailTool(context, 'mail', {
    name: 'send_email',
    title: 'Send a mail',
    description:
      'Sends a mail, or a reply in its thread. The same idempotency_key, or the same mail within 10 minutes, is sent once: asking again returns the first result.',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input: z.object({
      to: z.string().min(3).max(20_000).describe('Recipients, separated by commas'),
      ...outgoingFields,
      idempotency_key: idempotencyKey.optional(),
    }),
    output: z.object({
      message_id: z.string(),
      thread_id: z.string(),
      sent_at: z.string().describe('ISO 8601'),
    }),
    async handler(input) {
      const request = readOutgoing(input);
      recipients.check(request);
      const entry = {
        timestamp: new Date(now()).toISOString(),
        to: input.to,
        subject: input.subject,
        body: input.body,
        reply_to_message_id: input.reply_to_message_id ?? null,
        more: { cc: input.cc, bcc: input.bcc, idempotency_key: input.idempotency_key },
      };
      const write = () =>
        writeAudit(audit.root, audit.folders, entry).catch((cause: Error) => {
          throw new McpError(
            'send_failed',
            `Nothing was sent, because the audit log cannot be written: ${cause.message}`,
            undefined,
            { cause },
          );
        });
      const sent = await sender.send(request, input.idempotency_key, write);
      return {
        message_id: sent.messageId,
        thread_id: sent.threadId,
        sent_at: new Date(sent.sentAt).toISOString(),
      };
    },
  });
}
