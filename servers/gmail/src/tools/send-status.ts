import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailContext } from '../gmail-context.ts';
import type { SendState } from '../sending/ledger.ts';
import { idempotencyKey } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';

/** `get_send_status`: what is known about a mail under its key, without sending it. */
export function sendStatusTool(context: GmailContext): ToolDefinition {
  const { sender } = context;
  return mailTool(context, 'mail', {
    name: 'get_send_status',
    title: 'Look up a sent mail',
    description:
      "Tells what became of send_email under an idempotency_key, from this server's own records and without sending anything. unclear waits for a person; pending is settled by the same send_email again.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({ idempotency_key: idempotencyKey }),
    output: z.object({
      state: z.enum(['unknown', 'pending', 'sent', 'unclear']),
      message_id: z.string().nullable().describe('Of the sent mail, or of its draft'),
      thread_id: z.string().nullable(),
      draft_id: z.string().nullable(),
      sent_at: z.string().nullable().describe('ISO 8601'),
      changed_at: z.string().nullable().describe('When this was written down; ISO 8601'),
    }),
    async handler({ idempotency_key }) {
      const record = await sender.lookUp(idempotency_key);
      const { messageId, threadId, draftId, sentAt, changedAt } = record ?? {};
      return {
        state: shownState(record?.state),
        message_id: messageId ?? null,
        thread_id: threadId ?? null,
        draft_id: draftId ?? null,
        sent_at: isoTime(sentAt),
        changed_at: isoTime(changedAt),
      };
    },
  });
}

function shownState(state: SendState | undefined): 'unknown' | 'pending' | 'sent' | 'unclear' {
  if (state === undefined) return 'unknown';
  return state === 'sent' || state === 'unclear' ? state : 'pending';
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
