import { once } from 'node:events';
import { homedir, userInfo } from 'node:os';
import { HostError } from '@errand/host';
import { Command, Option } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeService, type ServiceManager, serviceManagers } from '../describe-service.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { type DatabaseFlags, withDatabaseOptions } from '../job-database.ts';
import { type OpenVault, openVault, vaultFolder } from '../open-vault.ts';
import { startServers } from '../start-servers.ts';
import {
  type MetricsOptions,
  offerMetrics,
  withMetricsOption,
} from '../telemetry/offer-metrics.ts';
import { OpenedJobs } from '../telemetry/opened-jobs.ts';
import type { Terminal } from '../terminal.ts';
import { upLog } from '../up-log.ts';
import { describeProgram } from '../visit-vault.ts';

interface UpOptions extends CommonOptions, DatabaseFlags, MetricsOptions {
  readonly printService?: ServiceManager;
}

/** `errand up`: runs the servers of a vault for every program on it, without a face. */
export function upCommand(context: CommandContext): Command {
  const command = withMetricsOption(
    withDatabaseOptions(
      new Command('up').description(
        'Keep the servers of the vault running for every program on it.',
      ),
    ),
  );
  return withCommonOptions(
    command.addOption(
      new Option('--print-service <manager>', 'print a service that starts it at login, and exit')
        .choices(serviceManagers)
        .conflicts('trust'),
    ),
  )
    .addHelpText(
      'after',
      `
Says on standard error what happens; with --json, as one JSON object per line on standard output. Ctrl-C ends it.
Other commands, the workbench and editors use its servers while it runs. See them with: errand status
With --database the runs of hooks are jobs in PostgreSQL, which errand worker can take over on other machines.

Examples:
  errand up
  errand up --vault ~/notes --json
  errand up --vault ~/notes --print-service systemd`,
    )
    .action(async (options: UpOptions) => {
      context.end(await up(options, context));
    });
}

async function up(options: UpOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  const { printService } = options;
  if (printService !== undefined) return printServiceOf(printService, options, terminal);
  const log = upLog(terminal, options.json);
  const jobs = new OpenedJobs();
  const audience = {
    notifier: log,
    onFace: log.onFace,
    onJobs: jobs.offer,
    canAskCallers: true,
    owner: 'up',
  } as const;
  await using vault = await openVault(options, context, audience);
  const { folder, host, sharing } = vault;
  if (sharing?.role !== 'own') throw await notOwned(sharing);
  await using metrics = await offerMetrics('up', options, terminal.env, host, jobs);
  using _following = log.follow(folder, host, sharing);
  if (metrics?.url !== undefined) log.tellMetrics(metrics.url);
  startServers(host, log);
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}

/** Why this program cannot own the vault. */
async function notOwned(sharing: OpenVault['sharing']): Promise<HostError> {
  const owner = (await sharing?.status())?.owner;
  const message =
    owner === undefined
      ? 'errand up cannot own this vault. The message before this one says why.'
      : `This vault is owned by ${describeProgram(owner)} already, which keeps its servers running. End that program first if errand up is to take its place.`;
  return new HostError('vault_owned', message);
}

async function printServiceOf(
  manager: ServiceManager,
  options: CommonOptions,
  { stdout, rawOutput = stdout, stderr, cwd, env }: Terminal,
): Promise<ExitCode> {
  const vault = await vaultFolder(options, cwd, cwd);
  const { name, text, steps } = describeService(manager, {
    vault,
    // As this program itself was started; the launcher has put the script in place of its own.
    command: [process.execPath, process.argv[1] ?? '', 'up', '--vault', vault],
    env: Object.fromEntries(
      neededVariables.flatMap((variable) => {
        const value = env[variable];
        return value === undefined ? [] : [[variable, value]];
      }),
    ),
    home: homedir(),
    account: [env.USERDOMAIN ?? [], userInfo().username].flat().join('\\'),
  });
  if (options.json) {
    stdout.write(`${JSON.stringify({ manager, name, text, steps }, undefined, 2)}\n`);
    return exitCode.ok;
  }
  rawOutput.write(text);
  stderr.write(`${steps.join('\n')}\n`);
  return exitCode.ok;
}

/** Servers are found by the first; by the others, the programs of the same user find each other. */
const neededVariables = ['PATH', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'];
