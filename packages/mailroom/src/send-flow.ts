import { randomBytes } from 'node:crypto';
import type { FlowOptions } from '@errand/jobs';
import { isRecord } from '@errand/wire';
import { approvedDraft, digestOf, idempotencyKey } from './draft-note.ts';
import { fileAttempt } from './file-attempt.ts';
import { finishMail } from './finish-mail.ts';
import type { SentMail } from './mailbox.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { ToolFailure } from './mcp-client.ts';
import { textOf } from './note-head.ts';
import { isRejected } from './note-item.ts';

export interface SendFlowPorts extends MailroomPorts {
  /** Why nothing may be sent at this moment: another machine, a pause. */
  readonly mayNotSend: () => Promise<string | undefined>;
  readonly onTrouble: (error: unknown) => void;
  readonly tell: (
    event: 'mail-sent' | 'mail-failed' | 'draft-approved',
    path: string,
  ) => Promise<void>;
}

/** How an attempt to send ended. */
export type Outcome =
  | {
      readonly kind: 'sent';
      readonly sent: SentMail;
      /** The Gmail id of the mail that it answers. */
      readonly answers: string | null;
    }
  /** Not in Approved any more, or nothing may be sent now: nothing happened. */
  | { readonly kind: 'left'; readonly reason: string }
  /** Another text than the one that was approved. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'retry';
      readonly error: string;
      readonly waitMs: number;
      readonly isPending: boolean;
    }
  | { readonly kind: 'stuck'; readonly error: string }
  | { readonly kind: 'unclear'; readonly error: string }
  /** Not the fault of this draft: it keeps its attempts. */
  | { readonly kind: 'no-login'; readonly error: string };

/** One attempt to send an approved draft, and what it means for the notes. */
export function sendFlow(ports: SendFlowPorts): FlowOptions {
  return {
    async run(input, context) {
      const { path, digest, draftId } = readAttempt(input);
      const session = `send:${draftId}:${randomBytes(4).toString('hex')}`;
      const outcome = await context.step('send', (signal) =>
        send({ path, digest, draftId }, session, ports, signal),
      );
      const isFiled = await context.step('file', () =>
        fileAttempt({ path, digest, draftId }, outcome, session, ports),
      );
      // Of what was sent: the note may be deleted or broken by now.
      const answers = outcome.kind === 'sent' ? outcome.answers : undefined;
      if (answers) await context.step('finish', () => finishMail(answers, session, ports));
      return { outcome: outcome.kind, isFiled } satisfies AttemptResult;
    },
  };
}

/** The result of the job of an attempt. */
export interface AttemptResult {
  readonly outcome: Outcome['kind'];
  /** Whether it stands in a note; one that was not found afterwards may be known by another id now. */
  readonly isFiled: boolean;
}

/** The draft that is sent, as it was when the attempt began. */
export interface Attempt {
  readonly path: string;
  readonly digest: string;
  readonly draftId: string;
}

async function send(
  { path, digest, draftId }: Attempt,
  session: string,
  ports: SendFlowPorts,
  signal: AbortSignal,
): Promise<Outcome> {
  const { notes, mailbox } = ports;
  const refusal = await ports.mayNotSend();
  if (refusal !== undefined) return { kind: 'left', reason: refusal };
  // As it is now: a person may have taken it back or changed it since it was seen.
  const note = await notes.read(path);
  if (
    note === undefined ||
    note.folder !== 'Approved' ||
    note.problem !== undefined ||
    isRejected(note)
  ) {
    return { kind: 'left', reason: 'taken back' };
  }
  if (textOf(note, 'sent_message_id') !== undefined) return { kind: 'left', reason: 'sent before' };
  if (digestOf(note) !== digest) return { kind: 'changed' };
  const draft = approvedDraft(note);
  if (draft === undefined) return { kind: 'stuck', error: 'The draft cannot be sent as it is.' };
  try {
    const key = idempotencyKey(note, draftId, digest);
    const sent = await mailbox.send(draft, key, { session, signal });
    return { kind: 'sent', sent, answers: draft.reply_to_message_id };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolFailure)) throw error;
    ports.onTrouble(error);
    return outcomeOf(error);
  }
}

/** What a failure of the mail server means for the draft. */
function outcomeOf({ code, message, details, waitMs }: ToolFailure): Outcome {
  const error = message.slice(0, 500);
  const { state, reason } = details;
  if (state === 'unclear') return { kind: 'unclear', error };
  if (code === 'auth_required') return { kind: 'no-login', error };
  const isPermanent =
    ['invalid_input', 'permission_denied', 'not_found', 'conflict', 'parse_error'].includes(code) ||
    (code === 'send_failed' && (reason === 'invalid' || reason === 'not_found'));
  if (isPermanent) return { kind: 'stuck', error };
  // The server was lost in the middle: what happened is looked up with the same key.
  const isPending = state === 'pending' || code === 'mcp_unavailable' || code === 'internal_error';
  return { kind: 'retry', error, waitMs, isPending };
}

export function readAttempt(input: unknown): Attempt {
  const { path, digest, draftId } = isRecord(input) ? input : {};
  return { path: String(path), digest: String(digest), draftId: String(draftId) };
}
