import type { FlowOptions, JobEngine, Json } from '@errand/jobs';
import { isRecord, raceSignal } from '@errand/wire';

/** What a job about a mail is given. */
export type MailInput = {
  readonly messageId: string;
  /** How often it was decided again before. */
  readonly retries: number;
  /** How often it could not be fetched or decided about. */
  readonly failures: number;
  /** Whether it was a note before: one that is not there any more was deleted, moved or broken by somebody. */
  readonly isStored: boolean;
  /** What a person adds. */
  readonly note?: string;
};

/** Reads what a job was given. */
export function readInput(input: Json): MailInput {
  const { messageId, retries, failures, isStored, note } = isRecord(input) ? input : {};
  return {
    messageId: String(messageId),
    retries: Number(retries) || 0,
    failures: Number(failures) || 0,
    isStored: isStored === true,
    ...(typeof note === 'string' && { note }),
  };
}

/** The id of a job: deciding again, and after a failure, is another job. */
export function jobId(messageId: string, retries: number, failures = 0): string {
  const again = retries === 0 ? '' : `:${retries}`;
  return `mail:${messageId}${again}${failures === 0 ? '' : `+${failures}`}`;
}

/** The id of the job that waits for the next attempt. */
export function laterId({ messageId, retries, failures }: MailInput): string {
  return `later:${jobId(messageId, retries, failures)}`;
}

/** Begins the job of a mail. All of a mailbox have one key, by which so many at once are worked on. */
export function startMail(jobs: JobEngine, input: MailInput) {
  const { messageId, retries, failures } = input;
  return jobs.start('mail', input, { id: jobId(messageId, retries, failures), key: 'mailbox' });
}

/** Waits until a mail that failed is tried again. It has no key: those that wait keep none from its turn. */
export function laterFlow(started: Promise<JobEngine>): FlowOptions {
  return {
    async run(input, { sleep, step }) {
      await sleep(isRecord(input) ? Number(input.waitMs) || 0 : 0);
      await step('start', async (signal) => {
        await startMail(await raceSignal(started, signal), readInput(input));
      });
    },
  };
}
