import { McpError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailContext } from '../gmail-context.ts';
import { saveAttachment } from '../save-attachment.ts';
import { messageId } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';

/** `get_attachment`: a file of a mail, as a file of the vault. */
export function getAttachmentTool(context: GmailContext): ToolDefinition {
  const { api, reader, attachments } = context;
  return mailTool(context, 'mail with this id', {
    name: 'get_attachment',
    title: 'Save an attachment',
    description: "Saves one attachment of a mail in the vault's folder for attachments.",
    annotations: { destructiveHint: false, openWorldHint: true },
    input: z.object({
      message_id: messageId,
      attachment_name: z
        .string()
        .trim()
        .min(1)
        .describe('One of the attachment_names of get_email'),
    }),
    output: z.object({
      path: z.string().describe('From the vault'),
      size: z.int().describe('Bytes'),
      mime_type: z.string(),
    }),
    async handler({ message_id, attachment_name }, { signal }) {
      if (attachments === undefined) {
        throw new McpError(
          'permission_denied',
          'This server has no vault to save attachments in. Start it with --vault DIR.',
        );
      }
      const load = () => api.getMessage(message_id, signal);
      const { message, content } = await reader.read(load, {
        attachmentName: attachment_name,
        signal,
      });
      const found = message.attachments.find(({ name }) => name === attachment_name);
      if (found === undefined || content === undefined) {
        const names = message.attachments.map(({ name }) => name);
        throw new McpError('not_found', `The mail has no attachment of this name.`, {
          attachment_names: names,
        });
      }
      const path = await saveAttachment(attachments.root, attachments.folders, found.name, content);
      return { path, size: content.length, mime_type: found.mimeType };
    },
  });
}
