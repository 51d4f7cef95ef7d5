import { randomUUID } from 'node:crypto';
import type { FlowOptions, JobEngine, Json } from '@errand/jobs';
import { isRecord, raceSignal } from '@errand/wire';
import { type StepPorts, untilDone } from './flow-steps.ts';
import { jobId } from './mail-job.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { ToolFailure } from './mcp-client.ts';

export interface LabelFlowPorts extends StepPorts, Pick<MailroomPorts, 'settings' | 'mailbox'> {
  /** The engine of the jobs, once the mailroom works. */
  readonly started: Promise<JobEngine>;
}

/** So many looks mails that came together wait for each other, which is half a minute. */
const togetherFor = 35;

/** Begins the job that labels mails whose own jobs have begun. */
export async function startLabels(jobs: JobEngine, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await jobs.start('mail-labels', { ids });
}

/**
 * Labels mails once they are notes: all of a round in one call, because a call for each would cost as much of Gmail's
 * quota as fetching them.
 */
export function labelFlow(ports: LabelFlowPorts): FlowOptions {
  return {
    async run(input, context) {
      let left = idsIn(input);
      for (let looks = 1; left.length > 0; looks += 1) {
        const waiting = left;
        left = await untilDone('label', ports, context, (signal) =>
          labelStored(waiting, looks < togetherFor, ports, signal),
        );
        if (left.length > 0) await context.sleep(pauseAfter(looks, ports));
      }
    },
  };
}

/** One mail is a note at once, those of a round are after some seconds, and one that cannot be fetched may be much later. */
function pauseAfter(looks: number, { backoff }: Pick<StepPorts, 'backoff'>): number {
  return looks < togetherFor ? Math.min(1_000, 25 * 2 ** looks) : backoff(looks - togetherFor + 1);
}

/** Labels the mails that are notes, or none as long as one of them may become one; answers with those that are left. */
async function labelStored(
  ids: readonly string[],
  isTogether: boolean,
  ports: LabelFlowPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const jobs = await raceSignal(ports.started, signal);
  const stored: string[] = [];
  const waiting: string[] = [];
  for (const id of ids) {
    const state = await storeStateOf(id, jobs);
    if (state === 'waiting' && isTogether) return ids;
    if (state === 'waiting') waiting.push(id);
    if (state === 'stored') stored.push(id);
  }
  const { label } = ports.settings() ?? {};
  if (label === undefined || stored.length === 0) return waiting;
  try {
    const session = `mail:label:${randomUUID()}`;
    await ports.mailbox.label(stored, label, { session, signal });
  } catch (error) {
    signal.throwIfAborted();
    const isRefusal =
      error instanceof ToolFailure && ['permission_denied', 'invalid_input'].includes(error.code);
    if (!isRefusal) throw error;
    // The notes are there; the label only saves a look.
    ports.onTrouble(error);
  }
  return waiting;
}

/** Whether a mail is a note, by what its jobs have done: after a failure another one begins. */
async function storeStateOf(
  id: string,
  jobs: JobEngine,
): Promise<'stored' | 'waiting' | 'dropped'> {
  for (let failures = 0; ; failures += 1) {
    const job = await jobs.status(jobId(id, 0, failures));
    // Jobs that ended long ago are forgotten; the next attempt is not there before its time.
    if (job === undefined) return failures === 0 ? 'stored' : 'waiting';
    const { state, result, steps } = job;
    if (steps.some((step) => step.name === 'note' && step.state === 'done')) return 'stored';
    if (state === 'queued' || state === 'running') return 'waiting';
    if (state !== 'done' || result === 'gone') return 'dropped';
    if (result !== 'later') return 'stored';
  }
}

function idsIn(input: Json): readonly string[] {
  const ids = isRecord(input) ? input.ids : undefined;
  return Array.isArray(ids) ? ids.map(String) : [];
}
