import type { ServiceClient, ServiceResponse, TokenBucket } from '@errand/server-kit';
import type { gmail_v1 } from '@googleapis/gmail';

type Signal = AbortSignal | undefined;

/** The part of Gmail's interface that the tools use. Requests wait for the quota; failures are `ServiceError`s. */
export interface GmailApi {
  listMessages(
    query: {
      readonly q: string;
      readonly maxResults: number;
      readonly pageToken?: string | undefined;
    },
    signal: Signal,
  ): Promise<gmail_v1.Schema$ListMessagesResponse>;
  /** A message with some of its headers and without its body. */
  getHeaders(
    id: string,
    names: readonly string[],
    signal: Signal,
  ): Promise<gmail_v1.Schema$Message>;
  /** A message as it was sent, as the JSON that Gmail answers with. */
  getMessage(id: string, signal: Signal): Promise<Uint8Array>;
  modifyMessage(
    id: string,
    change: gmail_v1.Schema$ModifyMessageRequest,
    signal: Signal,
  ): Promise<void>;
  /** Changes labels of up to 1,000 messages; those that do not exist are passed over. */
  modifyMessages(change: gmail_v1.Schema$BatchModifyMessagesRequest, signal: Signal): Promise<void>;
  /** The ids, labels and times of the messages of a thread. */
  getThread(id: string, signal: Signal): Promise<gmail_v1.Schema$Thread>;
  listLabels(signal: Signal): Promise<gmail_v1.Schema$ListLabelsResponse>;
  createLabel(name: string, signal: Signal): Promise<gmail_v1.Schema$Label>;
  listDrafts(
    query: {
      readonly maxResults: number;
      readonly q?: string;
      readonly pageToken?: string | undefined;
    },
    signal: Signal,
  ): Promise<gmail_v1.Schema$ListDraftsResponse>;
  getDraftHeaders(
    id: string,
    names: readonly string[],
    signal: Signal,
  ): Promise<gmail_v1.Schema$Draft>;
  /** A draft as it was written, as the JSON that Gmail answers with. */
  getDraft(id: string, signal: Signal): Promise<Uint8Array>;
  createDraft(
    raw: string,
    threadId: string | undefined,
    signal: Signal,
  ): Promise<gmail_v1.Schema$Draft>;
  deleteDraft(id: string, signal: Signal): Promise<void>;
  /** Sends a draft. The request is made once: whoever calls this knows what a lost answer means. */
  sendDraft(id: string): Promise<gmail_v1.Schema$Message>;
  getProfile(signal: Signal): Promise<gmail_v1.Schema$Profile>;
  /** What happened in a label since a history id; `not_found` when Gmail does not reach back so far. */
  listHistory(
    query: {
      readonly startHistoryId: string;
      readonly labelId: string;
      readonly historyTypes: readonly string[];
      readonly maxResults: number;
    },
    signal: Signal,
  ): Promise<gmail_v1.Schema$ListHistoryResponse>;
}

/** What each request costs of the quota, by Gmail's table. */
const units = {
  listMessages: 5,
  getMessage: 5,
  modifyMessage: 5,
  modifyMessages: 50,
  getThread: 10,
  listLabels: 1,
  createLabel: 5,
  listDrafts: 5,
  getDraft: 5,
  createDraft: 10,
  deleteDraft: 10,
  sendDraft: 100,
  getProfile: 1,
  listHistory: 2,
} as const;

const openingBrace = 0x7b;

/** A mail of 25 MB and its attachments in base64, twice. */
const largestMessage = 64 * 1024 * 1024;

/** Creates the requests of one mailbox. */
export function createGmailApi(client: ServiceClient, bucket: TokenBucket): GmailApi {
  const ask = async (
    cost: keyof typeof units,
    request: Parameters<ServiceClient['request']>[0],
  ): Promise<ServiceResponse> => {
    await bucket.take(units[cost], request.signal);
    return await client.request({ ...request, path: `gmail/v1/users/me/${request.path}` });
  };
  const bytes = async (...given: Parameters<typeof ask>) => {
    const response = await ask(...given);
    // The page of a proxy says so here; whoever reads the bytes would take it for a spoiled mail.
    if (response.bytes[0] !== openingBrace) response.json();
    return response.bytes;
  };
  const json = async <T>(...given: Parameters<typeof ask>) => (await ask(...given)).json() as T;
  const metadata = (metadataHeaders: readonly string[]) => ({
    format: 'metadata',
    metadataHeaders,
  });
  const maxBytes = largestMessage;
  /** Gmail answers some requests with nothing; the page of a proxy would pass for that. */
  const silent = async (...given: Parameters<typeof ask>) => {
    const response = await ask(...given);
    if (response.bytes.length > 0) response.json();
  };
  return {
    listMessages: (query, signal) =>
      json('listMessages', { method: 'GET', path: 'messages', query, signal }),
    getHeaders: (id, names, signal) =>
      json('getMessage', { method: 'GET', path: `messages/${id}`, query: metadata(names), signal }),
    getMessage: (id, signal) =>
      bytes('getMessage', {
        method: 'GET',
        path: `messages/${id}`,
        query: { format: 'raw' },
        maxBytes,
        deadlineMs: 120_000,
        signal,
      }),
    async modifyMessage(id, change, signal) {
      // Labels that are there already stay, so doing it again changes nothing.
      const path = `messages/${id}/modify`;
      await json('modifyMessage', { method: 'POST', path, json: change, repeatable: true, signal });
    },
    modifyMessages: (json, signal) =>
      silent('modifyMessages', {
        method: 'POST',
        path: 'messages/batchModify',
        json,
        repeatable: true,
        signal,
      }),
    getThread: (id, signal) =>
      json('getThread', {
        method: 'GET',
        path: `threads/${id}`,
        query: { format: 'minimal' },
        signal,
      }),
    listLabels: (signal) => json('listLabels', { method: 'GET', path: 'labels', signal }),
    createLabel: (name, signal) =>
      json('createLabel', { method: 'POST', path: 'labels', json: { name }, signal }),
    listDrafts: (query, signal) =>
      json('listDrafts', { method: 'GET', path: 'drafts', query, signal }),
    getDraftHeaders: (id, names, signal) =>
      json('getDraft', { method: 'GET', path: `drafts/${id}`, query: metadata(names), signal }),
    getDraft: (id, signal) =>
      bytes('getDraft', {
        method: 'GET',
        path: `drafts/${id}`,
        query: { format: 'raw' },
        maxBytes,
        signal,
      }),
    createDraft: (raw, threadId, signal) =>
      json('createDraft', {
        method: 'POST',
        path: 'drafts',
        json: { message: { raw: Buffer.from(raw).toString('base64url'), threadId } },
        signal,
      }),
    deleteDraft: (id, signal) =>
      silent('deleteDraft', { method: 'DELETE', path: `drafts/${id}`, signal }),
    sendDraft: (id) =>
      json('sendDraft', { method: 'POST', path: 'drafts/send', json: { id }, repeatable: false }),
    getProfile: (signal) => json('getProfile', { method: 'GET', path: 'profile', signal }),
    listHistory: (query, signal) =>
      json('listHistory', { method: 'GET', path: 'history', query, signal }),
  };
}
