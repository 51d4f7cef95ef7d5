import { once } from 'node:events';
import { hostname } from 'node:os';
import { faultNotice, HostError } from '@errand/host';
import type { FlowOptions } from '@errand/jobs';
import { Command, Option } from 'commander';
import { checkWorkerDatabase } from '../check-worker.ts';
import { printPoints } from '../checked-points.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { holdYoungSpace } from '../hold-young-space.ts';
import {
  type DatabaseFlags,
  databaseRefusal,
  describeDatabaseFailure,
  neededDatabase,
  openDatabaseJobs,
  withDatabaseOptions,
} from '../job-database.ts';
import { localHooks } from '../open-local-hooks.ts';
import { openVault, vaultFolder } from '../open-vault.ts';
import { portNumber } from '../port-number.ts';
import { positiveNumber } from '../positive-number.ts';
import { checkMailSettings, openSharedMail } from '../shared-mail.ts';
import { listenForStatus } from '../status-listener.ts';
import { upLog } from '../up-log.ts';

interface WorkerOptions extends CommonOptions, DatabaseFlags {
  readonly queues: readonly string[];
  readonly concurrency: number;
  readonly check?: boolean;
  readonly port?: number;
  readonly host?: string;
}

/** What a worker can work on. */
const knownQueues = ['hooks', 'mail'];
/** Steps may take this long to end when the worker is asked to leave. */
const drainMs = 25_000;

/** `errand worker`: works on jobs that several programs share. */
export function workerCommand(context: CommandContext): Command {
  const command = withDatabaseOptions(
    new Command('worker').description(
      'Work on the jobs of a database, together with other workers.',
    ),
  )
    .addOption(
      new Option('--queues <names>', 'what to work on, separated by commas: hooks, mail')
        .default(['hooks'], 'hooks')
        .argParser(readQueues),
    )
    .option('--concurrency <n>', 'jobs that work at once in this process', positiveNumber, 25)
    .option('--check', 'say what is wrong, and start nothing')
    .option(
      '--port <n>',
      'answer /health, /ready and /metrics over HTTP on this port; 0 takes any',
      portNumber,
    )
    .option('--host <address>', 'another address to listen on than 127.0.0.1');
  return withCommonOptions(command)
    .addHelpText(
      'after',
      `
As many workers as you like, on any machine; each has a folder with the settings of the vault and its hooks. For the queue mail the
folder needs no notes: its settings name mail servers and, by their URLs, the servers of the vaults. Jobs of a worker that dies go on in another within 15 seconds. Ctrl-C or SIGTERM lets running steps end, for ${drainMs / 1_000} seconds, and hands the rest on.
Options can come from the environment: ERRAND_DATABASE, ERRAND_SPACE.

Examples:
  errand worker --database postgres://errand@db/errand --space team --check
  errand worker --database postgres://errand@db/errand --space team --port 9090
  errand worker --database postgres://errand@db/errand --space team --queues mail,hooks`,
    )
    .action(async (options: WorkerOptions) => {
      context.end(await work(options, context));
    });
}

async function work(options: WorkerOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  const database = neededDatabase(options, await vaultFolder(options, terminal.cwd, terminal.cwd));
  if (options.check) return check(database, options, context);
  holdYoungSpace();
  const log = upLog(terminal, options.json);
  // The database of the jobs is this program's own; the vault's owner, if there is one, lends only its servers.
  const { database: _, ...vaultOptions } = options;
  await using vault = await openVault(vaultOptions, context, { notifier: log });
  const queues = new Set(options.queues);
  await using hooks = queues.has('hooks')
    ? await localHooks(vault, context, log, options.trust)
    : undefined;
  const runHook = async (hook: string, fields: Readonly<Record<string, unknown>>) =>
    void (await hooks?.service.answer('run', { hook, fields }, signal));
  await using mail = queues.has('mail')
    ? await openSharedMail({ vault, notifier: log, signal, ...(hooks && { runHook }) })
    : undefined;
  const flows: Record<string, FlowOptions> = hooks ? { hook: hooks.engine.flow } : {};
  const onFault = (error: unknown) =>
    void databaseRefusal(error).then((refusal) => log.notify(faultNotice('Jobs wait', refusal)));
  await using jobs = await openDatabaseJobs(database, {
    flows,
    concurrency: options.concurrency,
    drainMs,
    onFault,
  });
  await hooks?.engine.start(jobs, { follows: false });
  await mail?.start(jobs);
  const problem = () => {
    if (signal.aborted) return 'This worker is leaving.';
    return jobs.failure && describeDatabaseFailure(jobs.failure);
  };
  const mailboxes = () =>
    mail && { mailboxes: mail.addresses.length, waitingMailboxes: mail.waiting };
  const facts = () => ({
    program: 'worker',
    space: database.space,
    ...jobs.load,
    ...mailboxes(),
  });
  const isObserved = options.port !== undefined || terminal.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await using telemetry = isObserved
    ? await (await import('../telemetry/start-telemetry.ts')).startTelemetry('worker', terminal.env)
    : undefined;
  telemetry?.observeHost(vault.host);
  telemetry?.observeJobs(jobs);
  await using status =
    options.port === undefined
      ? undefined
      : await listenForStatus(
          { problem, facts },
          { port: options.port, host: options.host },
          telemetry && { '/metrics': telemetry.metrics },
        );
  log.ready(
    { space: database.space, queues: options.queues, mailboxes: mail?.addresses, url: status?.url },
    `Working on the jobs of ${database.space} on ${hostname()} (process ${process.pid}).${status ? ` Its status: ${status.url}/ready` : ''}`,
  );
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}

async function check(
  database: Parameters<typeof checkWorkerDatabase>[0],
  options: WorkerOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const points = [...(await checkWorkerDatabase(database))];
  if (options.queues.includes('mail')) {
    const { database: _, ...vaultOptions } = options;
    await using vault = await openVault(vaultOptions, context, { notifier: upLog(terminal) });
    points.push(...checkMailSettings(vault));
  }
  return printPoints(points, terminal, options.json);
}

function readQueues(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !knownQueues.includes(name));
  if (unknown.length === 0) return names;
  const message = `There is no queue "${unknown[0]}". There are: ${knownQueues.join(', ')}.`;
  throw new HostError('settings_invalid', message);
}
