import { createHash, randomBytes } from 'node:crypto';
import type { FlowContext, FlowOptions, JobEngine } from '@errand/jobs';
import { raceSignal } from '@errand/wire';
import { applyDecision } from './apply-decision.ts';
import { type DecideContext, decideMail, type Undecided } from './decide-mail.ts';
import { type StepPorts, tryStep, untilDone } from './flow-steps.ts';
import { laterId, type MailInput, readInput } from './mail-job.ts';
import { type GatedMail, gateMail, mailBody, mailValues, readMailNote } from './mail-note.ts';
import type { DecidedMail } from './mail-rules.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { ToolFailure } from './mcp-client.ts';
import { countOf, type MailNote, textOf } from './note-head.ts';
import { mailTime } from './note-name.ts';
import { isUndecided } from './plan-round.ts';

/** What the flow of a mail needs of the mailroom that runs it. */
export interface MailFlowPorts extends MailroomPorts, StepPorts {
  /** The address of the mailbox. */
  readonly own: () => string | undefined;
  /** The sent draft that a report about a failed delivery belongs to. */
  readonly findBounced: (mail: GatedMail, signal: AbortSignal) => Promise<string | undefined>;
  /** Hears that a mail is a note, or will not be. */
  readonly onStored: (messageId: string) => void;
  readonly tell: (event: MailFlowEvent, path: string) => Promise<void>;
  /** The engine of the jobs, once the mailroom works. */
  readonly started: Promise<JobEngine>;
}

type MailFlowEvent = 'mail-received' | 'mail-decided' | 'draft-written' | 'mail-failed';

/** Mails that are worked on at once; they begin in the order in which they came. */
const atOnce = 4;

/** The way of one mail: fetched, gated, stored, decided, carried out. Each step happens once, over any crash. */
export function mailFlow(ports: MailFlowPorts): FlowOptions {
  const running = new Map<string, Promise<unknown>>();
  return {
    perKey: atOnce,
    async run(input, context) {
      const asked = readInput(input);
      const { messageId } = asked;
      // Deciding again waits for what was begun about the same mail.
      const turn = (running.get(messageId) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => runMail(asked, ports, context));
      running.set(messageId, turn);
      try {
        return await turn;
      } finally {
        if (running.get(messageId) === turn) running.delete(messageId);
        ports.onStored(messageId);
      }
    },
  };
}

async function runMail(
  asked: MailInput,
  ports: MailFlowPorts,
  context: FlowContext,
): Promise<string> {
  const { messageId, retries, note: added } = asked;
  // One for each attempt: what fails again and again must not use up what a session may call.
  const session = () => `mail:${messageId}:${randomBytes(4).toString('hex')}`;
  const fetched = await orLater('fetch', asked, ports, context, (signal) =>
    fetchMail(asked, session(), ports, signal),
  );
  if (fetched === undefined) return 'later';
  if (fetched.kind === 'gone' || fetched.kind === 'left') return fetched.kind;
  const { mail } = fetched;
  if (fetched.kind === 'new') {
    const path = await untilDone('note', ports, context, (signal) =>
      storeMail(mail, session(), ports, signal),
    );
    await ports.tell('mail-received', path);
  }
  ports.onStored(messageId);
  if (asked.failures > 0 && !(await isOpen(asked, ports))) return 'left';
  const stored = { ...asked, isStored: true };
  const decided = await orLater('decide', stored, ports, context, (signal) =>
    decide(mail, added, ports, signal),
  );
  if (decided === undefined) return 'later';
  const applied = await untilDone('apply', ports, context, (signal) =>
    applyDecision(
      mail,
      decided,
      { draftId: draftIdOf(context.id), retries, session: session() },
      ports,
      signal,
    ),
  );
  if (applied.path !== undefined) {
    await ports.tell('failure' in decided ? 'mail-failed' : 'mail-decided', applied.path);
  }
  if (applied.draft !== undefined) await ports.tell('draft-written', applied.draft);
  if (!('failure' in decided) && decided.hook !== undefined && ports.runHook !== undefined) {
    const { hook } = decided;
    await context.step('hook', async () => {
      const fields = {
        mail: {
          event: 'rule',
          messageId,
          from: mail.from,
          subject: mail.subject,
          rule: decided.rule,
        },
      };
      await ports.runHook?.(hook, fields).catch(ports.onFault);
    });
  }
  return applied.outcome;
}

/**
 * Carries a step out once. When it fails, which one mail may do for ever, another job waits and begins anew, without a
 * place among the mails that are worked on; the answer is nothing then.
 */
async function orLater<Result>(
  name: string,
  asked: MailInput,
  ports: MailFlowPorts,
  context: FlowContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const tried = await tryStep(name, ports, context, run);
  if (!('waitMs' in tried)) return tried.value;
  const { modelRetries, backoff, started } = ports;
  const failures = asked.failures + 1;
  const pause = modelRetries[failures - 1] ?? backoff(failures - modelRetries.length);
  const waitMs = Math.max(pause, tried.waitMs);
  const later = { ...asked, failures, waitMs };
  await context.step('later', async (signal) => {
    const jobs = await raceSignal(started, signal);
    await jobs.start('mail-later', later, { id: laterId(later) });
  });
  return undefined;
}

/** Whether a mail still waits for this decision: a person may have put it away, or asked anew. */
async function isOpen({ messageId, retries }: MailInput, { notes }: MailFlowPorts) {
  const note = await notes.locate(messageId, 'mail');
  return note !== undefined && isUndecided(note) && countOf(note, 'retries') <= retries;
}

type FetchedMail =
  | { readonly kind: 'new' | 'known'; readonly mail: GatedMail }
  /** Not at Gmail any more. */
  | { readonly kind: 'gone' }
  /** Its note is not where anybody finds it. */
  | { readonly kind: 'left' };

async function fetchMail(
  { messageId, isStored }: MailInput,
  session: string,
  { notes, mailbox }: MailFlowPorts,
  signal: AbortSignal,
): Promise<FetchedMail> {
  const known = await notes.locate(messageId, 'mail');
  if (known !== undefined) return { kind: 'known', mail: gatedFrom(messageId, known) };
  // What a person put away does not come back because a model did not answer.
  if (isStored) return { kind: 'left' };
  try {
    return { kind: 'new', mail: gateMail(await mailbox.read(messageId, { session, signal })) };
  } catch (error) {
    if (error instanceof ToolFailure && error.code === 'not_found') return { kind: 'gone' };
    throw error;
  }
}

/** A mail whose note is there is not fetched again. */
function gatedFrom(id: string, note: MailNote): GatedMail {
  const { notes: _, ...mail } = readMailNote(note);
  const replyTo = textOf(note, 'reply_to');
  return {
    id,
    threadId: textOf(note, 'thread_id') ?? '',
    isAutomatic: note.values.automatic === true,
    ...(note.values.about_money === true && { isAboutMoney: true }),
    ...(replyTo !== undefined && { replyTo }),
    ...mail,
  };
}

async function storeMail(
  mail: GatedMail,
  session: string,
  { notes, clock, senders }: MailFlowPorts,
  signal: AbortSignal,
): Promise<string> {
  const there = await notes.locate(mail.id, 'mail');
  if (there !== undefined) return there.path;
  const now = clock.now();
  await senders.add(mail.from, mail.id);
  const values = mailValues(mail, now);
  const time = mailTime(mail.date, now);
  return notes.create(
    { folder: 'Needs_Action', time, subject: mail.subject, values, body: mailBody(mail) },
    session,
    signal,
  );
}

async function decide(
  mail: GatedMail,
  note: string | undefined,
  ports: MailFlowPorts,
  signal: AbortSignal,
): Promise<DecidedMail | Undecided> {
  return decideMail(mail, await decideContext(mail, note, ports, signal), signal);
}

/** What a decision about a mail depends on. */
export async function decideContext(
  mail: GatedMail,
  note: string | undefined,
  ports: Pick<MailFlowPorts, 'settings' | 'ask' | 'own' | 'clock' | 'senders' | 'findBounced'>,
  signal: AbortSignal,
): Promise<DecideContext> {
  const settings = ports.settings();
  return {
    settings: { rules: settings?.rules ?? [] },
    own: ports.own(),
    recent: await ports.senders.recent(mail.from, mail.id),
    bounceOf: await ports.findBounced(mail, signal),
    ask: ports.ask,
    minConfidence: settings?.minConfidence ?? 1,
    about: settings?.instructions,
    note,
    mark: randomBytes(8).toString('hex'),
    monotonic: () => ports.clock.monotonic(),
  };
}

function draftIdOf(job: string): string {
  return `d${createHash('sha256').update(job).digest('hex').slice(0, 15)}`;
}
