import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailContext } from '../gmail-context.ts';
import { plainAddresses } from '../mime/parse-message.ts';
import { outgoingFields, prepareMail, readOutgoing } from '../sending/outgoing.ts';
import { inParallel } from './in-parallel.ts';
import { cursorField, draftId } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';
import { headerOf, summarize, summaryHeaders } from './summarize.ts';

/** `create_draft`: a mail for a person to look at and send. */
export function createDraftTool(context: GmailContext): ToolDefinition {
  const { api } = context;
  return mailTool(context, 'mail to answer', {
    name: 'create_draft',
    title: 'Write a draft',
    description: 'Puts a mail into Drafts, where a person can change and send it. Nothing is sent.',
    annotations: { destructiveHint: false, openWorldHint: true },
    input: z.object({
      to: z.string().max(20_000).default('').describe('Recipients, separated by commas'),
      ...outgoingFields,
    }),
    output: z.object({ draft_id: z.string(), message_id: z.string(), thread_id: z.string() }),
    async handler(input, { signal }) {
      const { raw, threadId } = await prepareMail(api, readOutgoing(input), undefined, signal);
      const { id, message } = await api.createDraft(raw, threadId, signal);
      return {
        draft_id: id ?? '',
        message_id: message?.id ?? '',
        thread_id: message?.threadId ?? threadId ?? '',
      };
    },
  });
}

/** `list_drafts`: what waits in Drafts. */
export function listDraftsTool(context: GmailContext): ToolDefinition {
  const { api } = context;
  return mailTool(context, 'list of drafts', {
    name: 'list_drafts',
    title: 'List drafts',
    description: 'Lists the drafts of the mailbox, the latest first.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: z.object({ max_results: z.int().min(1).max(100).default(10), cursor: cursorField }),
    output: z.object({
      drafts: z.array(
        z.object({
          draft_id: z.string(),
          message_id: z.string(),
          thread_id: z.string(),
          subject: z.string(),
          to: z.string(),
          date: z.string().describe('ISO 8601'),
          snippet: z.string(),
        }),
      ),
      next_cursor: z.string().optional(),
    }),
    async handler({ max_results, cursor }, { signal }) {
      const page = { maxResults: max_results, pageToken: cursor };
      const { drafts = [], nextPageToken } = await api.listDrafts(page, signal);
      const ids = drafts.flatMap(({ id }) => id ?? []);
      const found = await inParallel(ids, (id) => api.getDraftHeaders(id, summaryHeaders, signal));
      return {
        drafts: found.map(({ id, message = {} }) => {
          const { id: message_id, subject, date, snippet } = summarize(message);
          const to = plainAddresses(headerOf(message, 'to'));
          return {
            draft_id: id ?? '',
            message_id,
            thread_id: message.threadId ?? '',
            subject,
            to,
            date,
            snippet,
          };
        }),
        ...(nextPageToken && { next_cursor: nextPageToken }),
      };
    },
  });
}

/** `delete_draft`: a draft goes away for good. */
export function deleteDraftTool(context: GmailContext): ToolDefinition {
  const { api } = context;
  return mailTool(context, 'draft with this id', {
    name: 'delete_draft',
    title: 'Delete a draft',
    description: 'Deletes a draft for good; it does not go to the trash.',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input: z.object({ draft_id: draftId }),
    output: z.object({ deleted: z.boolean() }),
    async handler({ draft_id }, { signal }) {
      await api.deleteDraft(draft_id, signal);
      return { deleted: true };
    },
  });
}
