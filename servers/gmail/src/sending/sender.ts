import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, McpError, ServiceError } from '@errand/server-kit';
import type { GmailApi } from '../api/gmail-api.ts';
import { toMcpError } from '../api/gmail-error.ts';
import type { MessageReader } from '../mime/message-reader.ts';
import type { MailMessage } from '../mime/parse-message.ts';
import { findCopy, findOrphan, lookAtDraft } from './find-mail.ts';
import type { ClaimLimits, Ledger, RecordChange, SendRecord } from './ledger.ts';
import { nextStep, type Observations } from './next-step.ts';
import { hashRequest, type OutgoingRequest, type PreparedMail, prepareMail } from './outgoing.ts';
import {
  conflictingKey,
  fromLedger,
  lostAnswer,
  refusedSend,
  stillRunning,
  tooManyMails,
  unclear,
} from './send-errors.ts';

export interface SenderOptions {
  readonly api: GmailApi;
  readonly reader: MessageReader;
  readonly ledger: Ledger;
  readonly limits: ClaimLimits;
  /** Names this process in the ledger. */
  readonly owner: string;
  readonly log: Logger;
}

export interface SendResult {
  readonly messageId: string;
  readonly threadId: string;
  readonly sentAt: number;
}

/** Sends mails, each of them once. */
export interface Sender {
  /** `audit` is awaited before anything is asked of Gmail; when it fails, nothing is sent. */
  send(
    request: OutgoingRequest,
    key: string | undefined,
    audit: () => Promise<void>,
  ): Promise<SendResult>;
  /** What the ledger says about a key, without asking Gmail. */
  lookUp(key: string): Promise<SendRecord | undefined>;
}

/** How long a call waits for another process that sends the same mail. */
const patience = 20_000;
const pollTime = 200;

/** Creates the sender of a mailbox. Whoever asks for a mail that is being sent gets the result of that. */
export function createSender(options: SenderOptions): Sender {
  const running = new Map<string, Promise<SendResult>>();
  return {
    async send(request, key, audit) {
      const contentHash = hashRequest(request, key);
      const name = `${contentHash} ${key ?? ''}`;
      const started =
        running.get(name) ??
        settle(options, { request, key, contentHash, audit })
          .catch((error: unknown) => {
            throw fromLedger(error);
          })
          .finally(() => running.delete(name));
      running.set(name, started);
      return await started;
    },
    async lookUp(key) {
      const { ledger, owner, limits } = options;
      return await ledger.find({ key, contentHash: '', owner }, limits);
    },
  };
}

interface Sending {
  readonly request: OutgoingRequest;
  readonly key: string | undefined;
  readonly contentHash: string;
  readonly audit: () => Promise<void>;
}

/** Carries out one step after the other until the mail is sent, or nobody can say. */
async function settle(options: SenderOptions, sending: Sending): Promise<SendResult> {
  const { api, ledger, owner, limits } = options;
  const claim = { key: sending.key, contentHash: sending.contentHash, owner };
  const givesUpAt = performance.now() + patience;
  let isAudited = false;
  let prepared: PreparedMail | undefined;
  let seen: Observations = {};
  let found: MailMessage | undefined;
  let draftId: string | undefined;

  const begin = async () => {
    if (!isAudited) await sending.audit();
    isAudited = true;
  };
  const prepare = async (record: SendRecord) => {
    prepared ??= await prepareMail(api, sending.request, record.key).catch(async (error) => {
      if (record.state === 'intent') await ledger.forget(record);
      throw toMcpError(error, 'mail to answer');
    });
    return prepared;
  };
  const write = async (record: SendRecord, change: RecordChange) =>
    await ledger.change(record, { owner, changedAt: ledger.now(), ...change });

  for (;;) {
    const record = await ledger.find(claim, limits);
    if (record === undefined) {
      await begin();
      const claimed = await ledger.claim(claim, limits);
      if (claimed.kind === 'capped')
        throw tooManyMails(limits.dailyCap, claimed.freeAt - ledger.now());
      continue;
    }
    const step = nextStep(
      record,
      { owner, now: ledger.now(), isKeyed: sending.key !== undefined },
      seen,
    );
    if (record.contentHash !== sending.contentHash) {
      // Nothing of the other mail has reached Gmail, and nobody is at it: its key is free.
      const isFree = record.state === 'intent' && step.kind !== 'wait' && step.kind !== 'restamp';
      if (!isFree) throw conflictingKey(record);
      await ledger.forget(record);
      continue;
    }
    switch (step.kind) {
      case 'answer':
        return resultOf(record);
      case 'refuse':
        throw unclear(record);
      case 'wait': {
        const isOwn = record.owner === owner;
        if (isOwn || performance.now() > givesUpAt) throw stillRunning(record, step.milliseconds);
        await sleep(pollTime);
        continue;
      }
      case 'restamp':
        await ledger.change(record, { changedAt: ledger.now() });
        continue;
      case 'create-draft': {
        await begin();
        const { raw, threadId } = await prepare(record);
        const drafting = await write(record, { state: 'drafting' });
        if (drafting === undefined) continue;
        const ids = await createDraft(options, drafting, raw, threadId);
        if ((await write(drafting, { state: 'drafted', ...ids })) !== undefined)
          seen = { draft: 'same' };
        continue;
      }
      case 'find-orphan': {
        await begin();
        const { approved } = await prepare(record);
        const orphan = await findOrphan(options, record, approved).catch(async (error) => {
          if (record.state === 'intent') await ledger.forget(record);
          throw error;
        });
        draftId = orphan?.draftId;
        found = orphan?.message;
        seen = { orphan: orphan === undefined ? 'none' : 'found' };
        continue;
      }
      case 'adopt-orphan': {
        const ids = { draftId, messageId: found?.id, threadId: found?.threadId };
        const adopted = await write(record, { state: 'drafted', ...ids });
        seen = adopted === undefined ? {} : { draft: 'same' };
        continue;
      }
      case 'look-at-draft': {
        await begin();
        const { approved } = await prepare(record);
        seen = { draft: await lookAtDraft(options, record, approved) };
        continue;
      }
      case 'look-for-copy': {
        await begin();
        const { approved } = await prepare(record);
        found = await findCopy(options, record, approved);
        seen = { ...seen, copy: found === undefined ? 'none' : 'found' };
        continue;
      }
      case 'record-copy': {
        const { id: messageId, threadId, receivedAt: sentAt } = found ?? ({} as MailMessage);
        const sent = { messageId, threadId, sentAt };
        await recordSent(options, record, sent);
        return resultOf({ ...record, ...sent });
      }
      case 'give-up':
        await write(record, { state: 'unclear' });
        continue;
      case 'send-draft': {
        const sent = await sendDraft(options, record);
        if (sent === 'gone') seen = { draft: 'gone' };
        else if (sent !== 'taken') return sent;
        else seen = {};
      }
    }
  }
}

/** Errors that come before a request is made. */
const unasked = ['auth_required', 'rate_limited'];

async function createDraft(
  { api, ledger }: SenderOptions,
  record: SendRecord,
  raw: string,
  threadId: string | undefined,
): Promise<Pick<SendRecord, 'draftId' | 'messageId' | 'threadId'>> {
  try {
    const { id, message } = await api.createDraft(raw, threadId, undefined);
    if (!id) throw lostAnswer(record, 'the draft');
    return {
      draftId: id,
      messageId: message?.id ?? undefined,
      threadId: message?.threadId ?? threadId,
    };
  } catch (error) {
    if (error instanceof ServiceError && error.sent !== 'no')
      throw lostAnswer(record, 'the draft', error);
    // Nothing of it is at Gmail: the next attempt begins anew.
    const isUnasked = !(error instanceof McpError) || unasked.includes(error.code);
    if (isUnasked) await ledger.forget(record);
    throw refusedSend(error);
  }
}

/** Sends the draft of a record. `taken`: another process was first; `gone`: there is no such draft any more. */
async function sendDraft(
  options: SenderOptions,
  record: SendRecord,
): Promise<SendResult | 'taken' | 'gone'> {
  const { api, ledger, owner } = options;
  const sending = await ledger.change(record, { state: 'sending', owner, changedAt: ledger.now() });
  if (sending === undefined) return 'taken';
  try {
    const { id, threadId } = await api.sendDraft(record.draftId ?? '');
    const sent = {
      messageId: id ?? record.messageId,
      threadId: threadId ?? record.threadId,
      sentAt: ledger.now(),
    };
    await recordSent(options, sending, sent);
    return resultOf({ ...sending, ...sent });
  } catch (error) {
    const wasRefused = !(error instanceof ServiceError) || error.sent === 'no';
    if (!wasRefused) throw lostAnswer(sending, 'the mail', error);
    const isGone = error instanceof ServiceError && error.kind === 'not_found';
    await ledger.change(sending, { state: 'drafted', changedAt: ledger.now() });
    if (isGone) return 'gone';
    throw refusedSend(error);
  }
}

/** It is sent, whatever becomes of the ledger: who asks again finds the draft gone and the mail in its thread. */
async function recordSent(
  { ledger, log }: SenderOptions,
  record: SendRecord,
  sent: RecordChange,
): Promise<void> {
  try {
    await ledger.change(record, { ...sent, state: 'sent', changedAt: ledger.now() });
  } catch (error) {
    log.error({ err: error }, 'a sent mail could not be recorded');
  }
}

function resultOf({ messageId = '', threadId = '', sentAt = 0 }: SendRecord): SendResult {
  return { messageId, threadId, sentAt };
}
