import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailContext } from '../gmail-context.ts';
import { bodyPage, emailFull, showMessage, threadId } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';

/** `get_thread`: the mails of a conversation, the oldest first. */
export function getThreadTool(context: GmailContext): ToolDefinition {
  const { api, reader, labels } = context;
  return mailTool(context, 'thread with this id', {
    name: 'get_thread',
    title: 'Read a thread',
    description:
      'Reads the mails of a conversation, the oldest first. Long texts are cut; get_email reads on with their next_cursor.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: z.object({
      thread_id: threadId,
      max_results: z.int().min(1).max(100).default(10).describe('The latest so many mails'),
      max_length: z.int().min(100).max(50_000).default(2500).describe('Characters of each body'),
    }),
    output: z.object({ thread_id: z.string(), emails: z.array(emailFull), truncated: z.boolean() }),
    async handler({ thread_id, max_results, max_length }, { signal, progress }) {
      const { messages = [] } = await api.getThread(thread_id, signal);
      const wanted = messages.slice(-max_results);
      const emails: z.infer<typeof emailFull>[] = [];
      // One after the other: each may be 25 MB.
      for (const { id } of wanted) {
        const load = () => api.getMessage(id ?? '', signal);
        const { message } = await reader.read(load, { signal });
        const names = await labels.namesOf(message.labelIds, signal);
        emails.push(showMessage(message, names, bodyPage(message.body, max_length)));
        progress(emails.length, wanted.length);
      }
      return { thread_id, emails, truncated: wanted.length < messages.length };
    },
  });
}
