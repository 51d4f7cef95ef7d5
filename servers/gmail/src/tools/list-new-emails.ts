import { ServiceError, type ToolDefinition } from '@errand/server-kit';
import type { gmail_v1 } from '@googleapis/gmail';
import * as z from 'zod';
import type { GmailApi } from '../api/gmail-api.ts';
import type { GmailContext } from '../gmail-context.ts';
import { inParallel } from './in-parallel.ts';
import { emailSummary, idsOnly, onlyIds } from './mail-schema.ts';
import { mailTool } from './mail-tool.ts';
import { summarize, summaryHeaders } from './summarize.ts';

/** `list_new_emails`: what came into the inbox since a point in the history of the mailbox. */
export function listNewEmailsTool(context: GmailContext): ToolDefinition {
  const { api } = context;
  return mailTool(context, 'history of the mailbox', {
    name: 'list_new_emails',
    title: 'List new mails',
    description:
      'Lists what came into the inbox since a history_id, the oldest first. Without one it only says where the history is now. Ask again with the history_id of the answer once these mails are dealt with; at once if has_more. When resync is true, Gmail does not reach back so far: list with list_emails, then go on from the new history_id.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: z.object({
      history_id: z
        .string()
        .trim()
        .regex(/^\d{1,25}$/, 'this is no history id of Gmail')
        .optional()
        .describe('history_id of the answer before'),
      max_results: z.int().min(1).max(100).default(50).describe('About how many mails'),
      ids_only: idsOnly,
    }),
    output: z.object({
      emails: z.array(emailSummary),
      ids: onlyIds,
      history_id: z.string().describe('Where to go on; keep it once these mails are dealt with'),
      has_more: z.boolean(),
      resync: z.boolean().describe('Whether mails may be missing: list all with list_emails'),
    }),
    async handler({ history_id, max_results, ids_only }, { signal }) {
      const none = { emails: [], ...(ids_only && { ids: [] }), has_more: false };
      const now = async () => ({ ...none, history_id: await currentId(api, signal) });
      if (history_id === undefined) return { ...(await now()), resync: false };
      const since = await listSince(api, history_id, max_results, signal);
      if (since === 'gone') return { ...(await now()), resync: true };
      const { history = [], nextPageToken, historyId } = since;
      const ids = newIds(history);
      const wanted = ids_only ? [] : ids;
      const found = await inParallel(wanted, (id) => api.getHeaders(id, summaryHeaders, signal));
      const hasMore = Boolean(nextPageToken);
      // A record is where the next question goes on, so a reader that stops in between loses nothing.
      const last = hasMore ? history.at(-1)?.id : historyId;
      return {
        emails: found.map(summarize),
        ...(ids_only && { ids }),
        history_id: last ?? history_id,
        has_more: hasMore && last !== undefined,
        resync: false,
      };
    },
  });
}

const inbox = 'INBOX';

async function listSince(
  api: GmailApi,
  startHistoryId: string,
  maxResults: number,
  signal: AbortSignal,
): Promise<gmail_v1.Schema$ListHistoryResponse | 'gone'> {
  const historyTypes = ['messageAdded', 'labelAdded'];
  try {
    const query = { startHistoryId, labelId: inbox, historyTypes, maxResults };
    return await api.listHistory(query, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') return 'gone';
    throw error;
  }
}

/** Mails that arrived, and mails that were put into the inbox later, out of spam for example; each once. */
function newIds(history: readonly gmail_v1.Schema$History[]): string[] {
  const ids = history.flatMap(({ messagesAdded = [], labelsAdded = [] }) => [
    ...messagesAdded.map(({ message }) => message?.id),
    ...labelsAdded
      .filter(({ labelIds }) => labelIds?.includes(inbox))
      .map(({ message }) => message?.id),
  ]);
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

async function currentId(api: GmailApi, signal: AbortSignal): Promise<string> {
  try {
    const { historyId } = await api.getProfile(signal);
    if (historyId) return historyId;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'not_found') throw error;
  }
  // Stand-ins for Gmail have no profile, but every history says where it ends.
  const { messages = [] } = await api.listMessages({ q: '', maxResults: 1 }, signal);
  const [latest] = await inParallel(messages.slice(0, 1), ({ id }) =>
    api.getHeaders(id ?? '', summaryHeaders, signal),
  );
  const since = await listSince(api, latest?.historyId ?? '1', 1, signal);
  return (since === 'gone' ? latest?.historyId : since.historyId) ?? '1';
}
