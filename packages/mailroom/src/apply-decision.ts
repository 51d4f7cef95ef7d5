import type { Undecided } from './decide-mail.ts';
import { addressIn, draftBody, draftValues } from './draft-note.ts';
import type { MailFlowPorts } from './mail-flow.ts';
import type { GatedMail } from './mail-note.ts';
import type { DecidedMail } from './mail-rules.ts';
import { countOf, type MailNote, textOf } from './note-head.ts';
import { itemOf } from './note-item.ts';

interface Applied {
  readonly outcome: string;
  readonly path?: string;
  readonly draft?: string;
}

interface Applying {
  readonly draftId: string;
  /** Which decision about the mail it is: one that was asked for later counts more. */
  readonly retries: number;
  readonly session: string;
}

/** Writes a decision into the folders. What a person did meanwhile counts more. */
export async function applyDecision(
  mail: GatedMail,
  decided: DecidedMail | Undecided,
  { draftId, retries, session }: Applying,
  ports: MailFlowPorts,
  signal: AbortSignal,
): Promise<Applied> {
  const { notes, log, clock } = ports;
  const note = await notes.locate(mail.id, 'mail');
  if (note === undefined) return { outcome: 'deleted' };
  if (note.problem !== undefined) return { outcome: 'unreadable' };
  if (countOf(note, 'retries') > retries) return { outcome: 'superseded' };
  const item = itemOf(note);
  // Moved away or decided by a person: theirs is the word.
  const isOurs =
    note.folder === 'Needs_Action' &&
    (item?.state === 'new' ||
      textOf(note, 'draft_id') === draftId ||
      textOf(note, 'decided_by') === decided.by);
  if (!isOurs) return { outcome: 'left' };
  const at = new Date(clock.now()).toISOString();
  if ('failure' in decided) {
    const set = {
      status: 'failed',
      last_error: decided.failure,
      decided_by: decided.by,
      decided_at: at,
      iteration_count: decided.iterations,
    };
    await notes.update(note.path, { set }, session, signal);
    await log.write('decisions', {
      event: 'decision_failed',
      severity: 'ERROR',
      message_id: mail.id,
      subject: mail.subject,
      message: decided.failure,
    });
    return { outcome: 'failed', path: note.path };
  }
  const { decision } = decided;
  const wantsDraft =
    (decision === 'draft_reply' || decision === 'urgent') && decided.replyBody !== undefined;
  const draft = wantsDraft
    ? await writeDraft(mail, decided, draftId, session, ports, signal)
    : undefined;
  await notes.update(
    note.path,
    {
      set: decisionValues(
        decided,
        at,
        draft === undefined ? undefined : { id: draftId, path: draft },
      ),
      remove: ['last_error', 'retry_note'],
    },
    session,
    signal,
  );
  if (decision === 'delegate') await addDelegation(note, decided, session, ports, signal);
  await logDecision(mail, decided, ports);
  if (decision !== 'archive')
    return { outcome: decision, path: note.path, ...(draft && { draft }) };
  const path = await notes.move(note.path, 'Done', session, decided.doneFolder);
  const label = decided.label;
  if (label !== undefined)
    await ports.mailbox.archive(mail.id, label, { session, signal }).catch(ports.onTrouble);
  return { outcome: 'archive', path };
}

function decisionValues(
  decided: DecidedMail,
  at: string,
  draft: { readonly id: string; readonly path: string } | undefined,
) {
  const { decision } = decided;
  const status = {
    archive: 'done',
    needs_info: 'needs_info',
    delegate: 'pending_approval',
    draft_reply: 'pending',
    urgent: draft ? 'pending' : 'needs_info',
  }[decision];
  return {
    status,
    decision,
    decision_reason: decided.reasoning,
    confidence: decided.confidence,
    decided_by: decided.by,
    decided_at: at,
    iteration_count: decided.iterations,
    classification: decision === 'archive' ? 'informational' : 'actionable',
    priority: decision === 'urgent' ? 'urgent' : 'normal',
    ...(decided.rules.length > 0 && { decision_rules: [...decided.rules] }),
    ...(decided.rule !== undefined && { rule: decided.rule }),
    ...(decided.infoNeeded !== undefined && { info_needed: decided.infoNeeded }),
    ...(decided.delegationTarget !== undefined && { delegation_target: decided.delegationTarget }),
    ...(decided.bounceOf !== undefined && { bounce_of: decided.bounceOf }),
    ...(draft !== undefined && { draft_id: draft.id, draft_path: draft.path }),
  };
}

async function writeDraft(
  mail: GatedMail,
  decided: DecidedMail,
  id: string,
  session: string,
  { notes, clock }: MailFlowPorts,
  signal: AbortSignal,
): Promise<string> {
  const there = await notes.locate(id, 'draft');
  if (there !== undefined) return there.path;
  const now = clock.now();
  const draft = {
    id,
    messageId: mail.id,
    // From the mail itself, never from what a model or the text says.
    to: addressIn(mail.replyTo ?? mail.from) ?? '',
    subject: mail.subject,
    by: decided.by,
    isUrgent: decided.decision === 'urgent',
  };
  const body = draftBody(decided.replyBody ?? '');
  return notes.create(
    {
      folder: 'Drafts',
      time: now,
      subject: `re ${mail.subject}`,
      values: draftValues(draft, now),
      body,
    },
    session,
    signal,
  );
}

async function addDelegation(
  note: MailNote,
  decided: DecidedMail,
  session: string,
  { notes }: MailFlowPorts,
  signal: AbortSignal,
): Promise<void> {
  const now = await notes.read(note.path);
  const line = `Delegate to: ${oneLine(decided.delegationTarget)}. ${oneLine(decided.reasoning)}`;
  if (now === undefined || now.body.includes(line)) return;
  await notes.update(
    note.path,
    { set: {}, body: `${now.body.trimEnd()}\n\n> ${line}\n`, etag: now.etag },
    session,
    signal,
  );
}

function oneLine(text = ''): string {
  return text
    .replace(/[\p{Cc}<>`[\]!]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

async function logDecision(
  mail: GatedMail,
  decided: DecidedMail,
  { log, notes, clock }: MailFlowPorts,
): Promise<void> {
  const [provider = '', model = ''] = decided.by.split(/:(.*)/s);
  await log.write('decisions', {
    event: 'decision',
    provider,
    model,
    message_id: mail.id,
    subject: mail.subject,
    decision: decided.decision,
    confidence: decided.confidence,
    reasoning: decided.reasoning,
    rules: decided.rules,
    ...(decided.rule !== undefined && { rule: decided.rule }),
    tokens_in: decided.tokens?.input ?? 0,
    tokens_out: decided.tokens?.output ?? 0,
    latency_ms: decided.latencyMs ?? 0,
    iteration: decided.iterations,
    is_cut: decided.isCut ?? false,
    redactions: mail.redactions,
  });
  const { bounceOf } = decided;
  if (bounceOf === undefined) return;
  await log.write('decisions', {
    event: 'email_delivery_failed',
    severity: 'ERROR',
    message_id: mail.id,
    draft_id: bounceOf,
    subject: mail.subject,
  });
  const draft = await notes.locate(bounceOf, 'draft');
  if (draft?.problem !== undefined || draft === undefined) return;
  const set = {
    delivery: 'failed',
    bounced_at: new Date(clock.now()).toISOString(),
    bounce_message_id: mail.id,
  };
  await notes.update(draft.path, { set }, `bounce:${mail.id}`);
}
