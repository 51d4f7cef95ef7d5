import { ServiceError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { checkLabelName, type MailLabel } from '../api/mail-labels.ts';
import type { GmailContext } from '../gmail-context.ts';
import { messageId } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';

/** `move_email`: a mail goes under a label and out of the inbox, or back into it. */
export function moveEmailTool(context: GmailContext): ToolDefinition {
  return mailTool(context, 'mail with this id', {
    name: 'move_email',
    title: 'Move a mail',
    description:
      'Puts a mail under a label, which is made if there is none, and takes it out of the inbox. INBOX as label brings it back.',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    input: z.object({
      message_id: messageId,
      destination_label: z.string().trim().describe('Name of the label, such as INBOX or DONE'),
    }),
    output: z.object({ moved: z.boolean(), message_id: z.string(), label: z.string() }),
    async handler({ message_id, destination_label }, { signal }) {
      checkLabelName('destination_label', destination_label);
      const { name } = await putLabel(context, message_id, destination_label, leftBehind, signal);
      return { moved: true, message_id, label: name };
    },
  });
}

/** `add_label`: a mail gets a label and keeps the others. */
export function addLabelTool(context: GmailContext): ToolDefinition {
  return mailTool(context, 'mail with this id', {
    name: 'add_label',
    title: 'Label a mail',
    description: 'Adds a label to a mail. A label that does not exist is made.',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    input: z.object({
      message_id: messageId,
      label_name: z.string().trim().describe('Name of the label, such as AI_PROCESSED'),
    }),
    output: z.object({
      labelled: z.boolean(),
      message_id: z.string(),
      label: z.string(),
      created: z.boolean(),
    }),
    async handler({ message_id, label_name }, { signal }) {
      checkLabelName('label_name', label_name);
      const { name, created } = await putLabel(context, message_id, label_name, [], signal);
      return { labelled: true, message_id, label: name, created };
    },
  });
}

/** Where a mail is no more once it was moved elsewhere. */
const leftBehind = ['INBOX', 'TRASH', 'SPAM'];

async function putLabel(
  { api, labels }: GmailContext,
  message: string,
  name: string,
  remove: readonly string[],
  signal: AbortSignal,
): Promise<MailLabel & { readonly created: boolean }> {
  const put = async () => {
    // No label is made for a mail that does not exist.
    const label = await labels.ensure(name, signal, () => api.getHeaders(message, [], signal));
    const removeLabelIds = remove.filter((id) => id !== label.id);
    await api.modifyMessage(message, { addLabelIds: [label.id], removeLabelIds }, signal);
    return label;
  };
  try {
    return await put();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'invalid') throw error;
    // Somebody may have deleted the label since it was looked up.
    labels.forget();
    return await put();
  }
}
