import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { GmailContext } from '../gmail-context.ts';
import { inParallel } from './in-parallel.ts';
import { cursorField, emailSummary, idsOnly, onlyIds } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';
import { summarize, summaryHeaders } from './summarize.ts';

/** `list_emails`: summaries of the mails that a search finds. */
export function listEmailsTool(context: GmailContext): ToolDefinition {
  const { api } = context;
  return mailTool(context, 'list of mails', {
    name: 'list_emails',
    title: 'List mails',
    description:
      'Finds mails by a query as in the search field of Gmail, such as "is:unread", "from:ada newer_than:7d".',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: z.object({
      query: z.string().trim().max(2000).default('is:unread').describe('Gmail search syntax'),
      max_results: z.int().min(1).max(100).default(10),
      ids_only: idsOnly,
      cursor: cursorField,
    }),
    output: z.object({
      emails: z.array(emailSummary),
      ids: onlyIds,
      total_count: z.int().describe("Gmail's estimate of how many there are in all"),
      next_cursor: z.string().optional(),
    }),
    async handler({ query, max_results, ids_only, cursor }, { signal }) {
      const page = { q: query, maxResults: max_results, pageToken: cursor };
      const {
        messages = [],
        nextPageToken,
        resultSizeEstimate,
      } = await api.listMessages(page, signal);
      const ids = messages.flatMap(({ id }) => id ?? []);
      const wanted = ids_only ? [] : ids;
      const found = await inParallel(wanted, (id) => api.getHeaders(id, summaryHeaders, signal));
      return {
        emails: found.map(summarize),
        ...(ids_only && { ids }),
        total_count: Math.max(resultSizeEstimate ?? 0, ids.length),
        ...(nextPageToken && { next_cursor: nextPageToken }),
      };
    },
  });
}
