import type { ApprovedDraft } from './draft-note.ts';
import type { OutgoingMail } from './mail-board.ts';
import type { RawMail } from './mail-note.ts';
import type { MCPClient, ToolCallOptions } from './mcp-client.ts';

/** The mailbox behind the mail server. */
export interface Mailbox {
  /** Ids of mails that fit a search, the newest so many, the oldest of them first, and whether there are more. */
  find(
    query: string,
    most: number,
    options: ToolCallOptions,
  ): Promise<{ readonly ids: readonly string[]; readonly hasMore: boolean }>;
  /** What came into the inbox since a point in its history, the oldest first; without one, where it is now. */
  news(historyId: string | undefined, options: ToolCallOptions): Promise<NewMails>;
  read(id: string, options: ToolCallOptions): Promise<RawMail>;
  /** Sends once for each key, however often it is asked. */
  send(
    draft: ApprovedDraft & Pick<OutgoingMail, 'cc' | 'bcc'>,
    key: string,
    options: ToolCallOptions,
  ): Promise<SentMail>;
  /** What became of a key: whether it may have left, or was sent. */
  status(key: string, options: ToolCallOptions): Promise<SendStatus>;
  label(ids: readonly string[], name: string, options: ToolCallOptions): Promise<void>;
  archive(id: string, label: string, options: ToolCallOptions): Promise<void>;
  /** The address of the mailbox; nothing without a login. */
  account(options: ToolCallOptions): Promise<string | undefined>;
}

/** What became of a mail under a key. */
export type SendStatus =
  | { readonly kind: 'not-sent' | 'unclear' }
  | { readonly kind: 'sent'; readonly sent: SentMail };

/** A page of the mailbox's history. */
export interface NewMails {
  readonly ids: readonly string[];
  /** Where to go on once these are dealt with. */
  readonly historyId: string;
  readonly hasMore: boolean;
  /** Whether the history does not reach back so far: a search has to find what is missing. */
  readonly isGone: boolean;
}

/** A mail that has left. */
export interface SentMail {
  readonly messageId: string;
  readonly threadId: string;
  readonly sentAt: string;
}

const pageSize = 100;
/** Characters of a mail that become a note. */
const longestBody = 100_000;

/** The mailbox through the tools of the Gmail server. */
export function mailboxOf(client: MCPClient): Mailbox {
  return {
    async find(query, most, options) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.callTool<FoundMails>(
          'list_emails',
          {
            query,
            max_results: Math.min(pageSize, most - ids.length),
            // Each mail is read whole afterwards, and the quota of a minute is soon used up.
            ids_only: true,
            ...(cursor && { cursor }),
          },
          options,
        );
        ids.push(...page.ids);
        cursor = page.next_cursor;
      } while (cursor !== undefined && ids.length < most);
      // Gmail lists the newest first.
      return { ids: ids.reverse(), hasMore: cursor !== undefined };
    },
    async news(historyId, options) {
      const page = await client.callTool<HistoryPage>(
        'list_new_emails',
        { ids_only: true, ...(historyId !== undefined && { history_id: historyId }) },
        options,
      );
      return {
        ids: page.ids,
        historyId: page.history_id,
        hasMore: page.has_more,
        isGone: page.resync,
      };
    },
    async read(id, options) {
      const mail = await client.callTool<FullMail>(
        'get_email',
        { message_id: id, max_length: longestBody },
        options,
      );
      return {
        id: mail.id,
        threadId: mail.thread_id,
        from: mail.sender,
        to: mail.to,
        subject: mail.subject,
        date: mail.date,
        body: mail.body,
        attachments: mail.attachment_names,
        isCut: mail.truncated,
        headers: mail.headers ?? {},
      };
    },
    async send({ to, cc, bcc, subject, body, reply_to_message_id }, key, options) {
      const sent = await client.callTool<SentAnswer>(
        'send_email',
        {
          to,
          subject,
          body,
          // What a person read as text leaves as text.
          body_type: 'text',
          ...(cc !== undefined && { cc }),
          ...(bcc !== undefined && { bcc }),
          // What a person approved is the subject as well.
          ...(reply_to_message_id !== null && { reply_to_message_id, keep_subject: true }),
          idempotency_key: key,
        },
        options,
      );
      return { messageId: sent.message_id, threadId: sent.thread_id, sentAt: sent.sent_at };
    },
    async status(key, options) {
      const found = await client.callTool<StatusAnswer>(
        'get_send_status',
        { idempotency_key: key },
        options,
      );
      const { state, draft_id, message_id, thread_id = '', sent_at = '' } = found;
      if (state === 'sent' && message_id) {
        return {
          kind: 'sent',
          sent: { messageId: message_id, threadId: thread_id ?? '', sentAt: sent_at ?? '' },
        };
      }
      // Only a draft is ever sent: without one nothing has left.
      const isUnsent = state === 'unknown' || (state === 'pending' && !draft_id);
      return { kind: isUnsent ? 'not-sent' : 'unclear' };
    },
    async label(ids, name, options) {
      await client.callTool('label_emails', { message_ids: ids, label_name: name }, options);
    },
    async archive(id, label, options) {
      await client.callTool('move_email', { message_id: id, destination_label: label }, options);
    },
    async account(options) {
      const health = await client.callTool<{ readonly authenticated_as?: string | null }>(
        'health_check',
        {},
        options,
      );
      return health.authenticated_as ?? undefined;
    },
  };
}

interface FoundMails {
  readonly ids: readonly string[];
  readonly next_cursor?: string;
}

interface HistoryPage {
  readonly ids: readonly string[];
  readonly history_id: string;
  readonly has_more: boolean;
  readonly resync: boolean;
}

interface FullMail {
  readonly id: string;
  readonly thread_id: string;
  readonly sender: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly body: string;
  readonly attachment_names: readonly string[];
  readonly truncated: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

interface StatusAnswer {
  readonly state: string;
  readonly draft_id?: string | null;
  readonly message_id?: string | null;
  readonly thread_id?: string | null;
  readonly sent_at?: string | null;
}

interface SentAnswer {
  readonly message_id: string;
  readonly thread_id: string;
  readonly sent_at: string;
}
