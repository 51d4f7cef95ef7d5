import { existsSync } from 'node:fs';
import { duration } from '@errand/document/display';
import { HostError } from '@errand/host';
import type { JobDetails, JobEngine, JobInfo, JobState } from '@errand/jobs';
import { answerJobs, type JobsMethods } from '@errand/services/jobs';
import { vaultState } from '@errand/services/state';
import type { JsonObject } from '@errand/wire';
import { Command, Option } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import {
  type DatabaseFlags,
  neededDatabase,
  openDatabaseJobs,
  withDatabaseOptions,
} from '../job-database.ts';
import { messageText } from '../message-text.ts';
import { vaultFolder } from '../open-vault.ts';
import { paintColumn, type Tone } from '../paint.ts';
import { positiveNumber } from '../positive-number.ts';
import { table } from '../table.ts';
import { describeUnheard, visitVault } from '../visit-vault.ts';
import { moveCommand } from './move-jobs.ts';

interface JobsFlags extends CommonOptions, DatabaseFlags {}

interface ListOptions extends JobsFlags {
  readonly limit: number;
  readonly state?: JobState;
  readonly flow?: string;
}

/** `errand jobs`: the work of the vault that survives a restart. */
export function jobsCommand(context: CommandContext): Command {
  const command = withListOptions(
    new Command('jobs').description('Show the jobs of this vault, newest first.'),
  )
    .addHelpText(
      'after',
      `
A job is work in steps that goes on after a crash, such as the run of a hook. The program that owns the vault runs them;
while there is none, jobs can be looked at and nothing runs them. With --database, jobs that several programs share.

Examples:
  errand jobs --state failed
  errand jobs show 3f9c2a81
  errand jobs retry 3f9c2a81
  errand jobs --database postgres://errand@db/errand --space team`,
    )
    .action((options: ListOptions) => listJobs(options, context));
  const list = withListOptions(
    new Command('list').alias('ls').description('The same as without a subcommand.'),
  ).action((options: ListOptions) => listJobs(options, context));
  command.addCommand(list);
  command.addCommand(
    jobCommand(
      'show',
      'Show one job with its steps and their times.',
      context,
      async (...asked) => {
        const { job, isOwned } = await ask('show', ...asked);
        return { job, isOwned, text: describeJob(job) };
      },
    ),
  );
  command.addCommand(
    jobCommand(
      'retry',
      'Run a failed or cancelled job again: what is done is not repeated.',
      context,
      async (...asked) => {
        const { job, isOwned } = await ask('retry', ...asked);
        return { job, isOwned, text: `The job ${job.id} runs again.\n` };
      },
    ),
  );
  command.addCommand(
    jobCommand('cancel', 'End a job that waits or runs.', context, async (...asked) => {
      const { job, isOwned } = await ask('cancel', ...asked);
      return { job, isOwned, text: `The job ${job.id} is cancelled.\n` };
    }),
  );
  command.addCommand(moveCommand(context));
  return passOptionsOn(command);
}

function withListOptions(command: Command): Command {
  return withCommonOptions(
    withDatabaseOptions(command)
      .option('--limit <n>', 'how many', positiveNumber, 20)
      .addOption(
        new Option('--state <state>', 'only jobs in this state').choices([
          'queued',
          'running',
          'done',
          'failed',
          'cancelled',
        ] satisfies JobState[]),
      )
      .option('--flow <name>', 'only jobs of this kind, for example hook'),
  );
}

async function listJobs(options: ListOptions, context: CommandContext): Promise<void> {
  const { stdout, stderr } = context.terminal;
  const { limit, state, flow } = options;
  const params = { limit, ...(state && { state }), ...(flow && { flow }) };
  const { value, isOwned } = await askJobs('list', params, options, context);
  const { jobs } = value;
  if (options.json) stdout.write(`${JSON.stringify({ isOwned, jobs }, undefined, 2)}\n`);
  else {
    const tones = jobs.map((job) => stateTones[job.state]);
    const rows = jobs.map((job) => [
      timeText(job.createdAt),
      job.flow,
      job.state,
      tookText(job),
      job.id.slice(0, 8),
      job.error?.message ?? '',
    ]);
    stdout.write(
      jobs.length === 0 ? 'No jobs.\n' : table(rows, paintColumn(stdout.paint, 2, tones)),
    );
    const isOpen = jobs.some((job) => job.state === 'queued' || job.state === 'running');
    if (!isOwned && isOpen) stderr.write(unowned);
  }
  context.end(exitCode.ok);
}

const unowned =
  'No program owns this vault, so nothing runs these jobs. Run them with: errand up\n';

type Answer = { readonly job: JobDetails; readonly isOwned: boolean };
type Asked = readonly [id: string, options: JobsFlags, context: CommandContext];

function jobCommand(
  name: 'show' | 'retry' | 'cancel',
  description: string,
  context: CommandContext,
  act: (...asked: Asked) => Promise<Answer & { readonly text: string }>,
): Command {
  const command = new Command(name)
    .description(description)
    .argument('<id>', 'the id of a job, or its beginning');
  return withCommonOptions(withDatabaseOptions(command)).action(
    async (id: string, options: JobsFlags) => {
      const { stdout } = context.terminal;
      const { job, isOwned, text } = await act(id, options, context);
      stdout.write(options.json ? `${JSON.stringify({ isOwned, job }, undefined, 2)}\n` : text);
      context.end(exitCode.ok);
    },
  );
}

async function ask(
  method: 'show' | 'retry' | 'cancel',
  ...[id, options, context]: Asked
): Promise<Answer> {
  const { value, isOwned } = await askJobs(method, { id }, options, context);
  return { job: value, isOwned };
}

/** Asks the owner; where there is none, what it left is looked at. */
async function askJobs<Method extends keyof JobsMethods>(
  method: Method,
  params: JsonObject,
  options: JobsFlags,
  context: CommandContext,
): Promise<{ readonly value: JobsMethods[Method]; readonly isOwned: boolean }> {
  if (options.database !== undefined) {
    const { cwd } = context.terminal;
    const database = neededDatabase(options, await vaultFolder(options, cwd, cwd));
    await using shared = await openDatabaseJobs(database, { flows: {} });
    const value = (await answerJobs(shared, method, params)) as JobsMethods[Method];
    return { value, isOwned: true };
  }
  const request = { service: 'jobs', method, params };
  const { visit } = await visitVault(options, context, { request });
  if (visit.status === 'silent' || visit.status === 'other-version') {
    throw new HostError('owner_lost', describeUnheard(visit));
  }
  if (visit.status === 'answered') {
    return { value: visit.value as JobsMethods[Method], isOwned: true };
  }
  if (method === 'retry' || method === 'cancel') {
    const message =
      'No program owns this vault, so nothing runs its jobs. Start one, and try again: errand up';
    throw new HostError('settings_invalid', message);
  }
  const { cwd, env } = context.terminal;
  const { jobsFile } = await vaultState(await vaultFolder(options, cwd, cwd), env);
  await using jobs = existsSync(jobsFile) ? await readJobs(jobsFile) : undefined;
  return { value: (await answerJobs(jobs, method, params)) as JobsMethods[Method], isOwned: false };
}

/** Knows no flow, so it runs nothing. */
async function readJobs(file: string): Promise<JobEngine> {
  const { JobsError, sqliteStore, StoredJobs } = await import('@errand/jobs');
  try {
    return StoredJobs.open(sqliteStore(file, { isReadOnly: true }), { flows: {} });
  } catch (error) {
    if (!(error instanceof JobsError)) throw error;
    throw new HostError('settings_invalid', error.message, {}, { cause: error });
  }
}

function describeJob(job: JobDetails): string {
  const { key, startedAt, endedAt, error } = job;
  const rows = [
    ['id', job.id],
    ['flow', job.flow],
    ['state', job.state],
    ...(key === undefined ? [] : [['key', key]]),
    ['created', timeText(job.createdAt)],
    ...(startedAt === undefined ? [] : [['started', timeText(startedAt)]]),
    ...(endedAt === undefined ? [] : [['ended', timeText(endedAt)]]),
  ];
  const steps = job.steps.map((step) => [
    `  ${step.name}`,
    step.state,
    timeText(step.startedAt),
    step.endedAt === undefined ? '' : duration(step.endedAt - step.startedAt),
    step.attempts > 1 ? `${step.attempts} attempts` : '',
    step.error?.message ?? (step.dueAt === undefined ? '' : `until ${timeText(step.dueAt)}`),
  ]);
  return [
    table(rows),
    ...(error === undefined ? [] : [messageText(error.message)]),
    ...(steps.length === 0 ? [] : ['Steps\n', table(steps)]),
  ].join('');
}

const stateTones: Readonly<Record<JobState, Tone | undefined>> = {
  queued: undefined,
  running: 'accent',
  done: 'good',
  failed: 'bad',
  cancelled: 'warn',
};

function tookText({ startedAt, endedAt }: JobInfo): string {
  return startedAt === undefined || endedAt === undefined ? '' : duration(endedAt - startedAt);
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').slice(0, 19);
}
