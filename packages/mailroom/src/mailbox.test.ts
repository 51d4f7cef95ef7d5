import { expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';
import type { MCPClient } from './mcp-client.ts';

/** A mailbox whose server gives these answers in turn, and what it was asked. */
function mailboxThat(...answers: readonly object[]) {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const client = {
    callTool: async (tool: string, parameters: object) => {
      asked.push({ tool, ...parameters });
      return answers[asked.length - 1] ?? {};
    },
  } as unknown as MCPClient;
  return { mailbox: mailboxOf(client), asked };
}
const options = { session: 's' };

test('a search lists ids page by page, and answers with the oldest first', async () => {
  const pages = [
    { ids: ['m5', 'm4'], next_cursor: 'c1' },
    { ids: ['m3', 'm2'], next_cursor: 'c2' },
  ];
  const { mailbox, asked } = mailboxThat(...pages);
  const found = await mailbox.find('in:inbox', 4, options);
  expect(found).toEqual({ ids: ['m2', 'm3', 'm4', 'm5'], hasMore: true });
  expect(asked).toMatchObject([
    { tool: 'list_emails', query: 'in:inbox', max_results: 4, ids_only: true },
    { max_results: 2, cursor: 'c1' },
  ]);
});

test('what a person read as text is sent as text, with its copies, its thread and its key', async () => {
  const { mailbox, asked } = mailboxThat({ message_id: 's1', thread_id: 't1', sent_at: 'now' });
  const mail = { to: 'a@b.c', cc: 'd@e.f', bcc: 'g@h.i', subject: 'Hi', body: '<p>Text</p>' };
  const draft = { filepath: 'Approved/a.md', ...mail, reply_to_message_id: 'm1' };
  expect(await mailbox.send(draft, 'd1.x', options)).toEqual({
    messageId: 's1',
    threadId: 't1',
    sentAt: 'now',
  });
  expect(asked).toMatchObject([
    {
      tool: 'send_email',
      ...mail,
      body_type: 'text',
      reply_to_message_id: 'm1',
      idempotency_key: 'd1.x',
      keep_subject: true,
    },
  ]);
});

test.each([
  [{ state: 'unknown' }, 'not-sent'],
  // Only a draft is ever sent.
  [{ state: 'pending', draft_id: null }, 'not-sent'],
  [{ state: 'pending', draft_id: 'r1' }, 'unclear'],
  [{ state: 'unclear', draft_id: 'r1' }, 'unclear'],
  [{ state: 'sent', message_id: 's1', thread_id: 't1', sent_at: 'now' }, 'sent'],
])('a key of which the ledger says %j is %s', async (answer, kind) => {
  const { mailbox } = mailboxThat(answer);
  expect(await mailbox.status('d1.x', options)).toMatchObject({ kind });
});
