import { ServiceError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { checkLabelName, type EnsuredLabel, type MailLabel } from '../api/mail-labels.ts';
import type { GmailContext } from '../gmail-context.ts';
import { inParallel } from './in-parallel.ts';
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

const labelName = z.string().trim().describe('Name of the label, such as AI_PROCESSED');

/** `add_label`: a mail gets a label and keeps the others. */
export function addLabelTool(context: GmailContext): ToolDefinition {
  return mailTool(context, 'mail with this id', {
    name: 'add_label',
    title: 'Label a mail',
    description: 'Adds a label to a mail. A label that does not exist is made.',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    input: z.object({
      message_id: messageId,
      label_name: labelName,
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

/** `label_emails`: `add_label` for many mails. */
export function labelEmailsTool(context: GmailContext): ToolDefinition {
  return mailTool(context, 'mail with this id', {
    name: 'label_emails',
    title: 'Label mails',
    description:
      'Adds a label to many mails, for a fraction of the quota of single calls. A label that does not exist is made; mails that do not exist are passed over.',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    input: z.object({
      message_ids: z.array(messageId).min(1).max(1000).describe('Gmail message IDs'),
      label_name: labelName,
    }),
    output: z.object({ label: z.string(), created: z.boolean() }),
    async handler({ message_ids, label_name }, { signal }) {
      checkLabelName('label_name', label_name);
      const { api } = context;
      const { name, created } = await withLabel(context, label_name, signal, async ({ id }) => {
        const addLabelIds = [id];
        if (message_ids.length >= fewestTogether)
          return api.modifyMessages({ ids: message_ids, addLabelIds }, signal);
        await inParallel(message_ids, (message) =>
          api.modifyMessage(message, { addLabelIds }, signal),
        );
      });
      return { label: name, created };
    },
  });
}

/** One request for many mails costs as much of the quota as ten for one. */
const fewestTogether = 10;

/** Where a mail is no more once it was moved elsewhere. */
const leftBehind = ['INBOX', 'TRASH', 'SPAM'];

function putLabel(
  context: GmailContext,
  message: string,
  name: string,
  remove: readonly string[],
  signal: AbortSignal,
): Promise<EnsuredLabel> {
  const { api } = context;
  const put = ({ id }: MailLabel) => {
    const removeLabelIds = remove.filter((each) => each !== id);
    return api.modifyMessage(message, { addLabelIds: [id], removeLabelIds }, signal);
  };
  // No label is made for a mail that does not exist.
  return withLabel(context, name, signal, put, () => api.getHeaders(message, [], signal));
}

/** Does something with a label, which is made if there is none, unless `check` fails. */
async function withLabel(
  { labels }: GmailContext,
  name: string,
  signal: AbortSignal,
  act: (label: MailLabel) => Promise<void>,
  check?: () => Promise<unknown>,
): Promise<EnsuredLabel> {
  const attempt = async () => {
    const label = await labels.ensure(name, signal, check);
    await act(label);
    return label;
  };
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'invalid') throw error;
    // Somebody may have deleted the label since it was looked up.
    labels.forget();
    return await attempt();
  }
}
