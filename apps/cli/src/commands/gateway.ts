import { once } from 'node:events';
import { join } from 'node:path';
import type { ScopeOf } from '@errand/gateway';
import { chainSession, readChain } from '@errand/hooks/bridge';
import { decideSection, HostError } from '@errand/host';
import { Command, Option } from 'commander';
import { advisedText, terminalAdvice } from '../advice.ts';
import { printPoints } from '../checked-points.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import {
  type AccessOptions,
  gatewayToken,
  printConfig,
  withAccessOptions,
} from '../gateway-access.ts';
import {
  checkGateway,
  type LoginFlags,
  loginSettings,
  openLogins,
  withLoginOptions,
} from '../gateway-logins.ts';
import { openReplica } from '../gateway-replica.ts';
import { neededUrl } from '../job-database.ts';
import { type NoteOption, noteAndLine } from '../note-option.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { portNumber } from '../port-number.ts';
import { startServers } from '../start-servers.ts';
import {
  type MetricsOptions,
  offerMetrics,
  withMetricsOption,
} from '../telemetry/offer-metrics.ts';
import { OpenedJobs } from '../telemetry/opened-jobs.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import { clientsCommand } from './gateway-clients.ts';

interface GatewayCommandOptions extends CommonOptions, AccessOptions, LoginFlags, MetricsOptions {
  readonly check?: boolean;
  readonly replica?: boolean;
  readonly database?: string;
  readonly port?: number;
  readonly host?: string;
  readonly note?: NoteOption;
  readonly search?: boolean;
}

/** `errand gateway`: all enabled servers as one MCP server. */
export function gatewayCommand(context: CommandContext): Command {
  const command = withMetricsOption(
    withLoginOptions(
      withAccessOptions(
        new Command('gateway')
          .description('Offer all enabled servers to other programs as one MCP server.')
          .addOption(
            new Option('--stdio', 'on standard input and output (the default)').conflicts([
              'port',
              'host',
            ]),
          )
          .option('--port <n>', 'over HTTP, on this port of this machine; 0 takes any', portNumber)
          .option('--host <address>', 'another address to listen on')
          .option('--search', 'list three tools that find, describe and call all others')
          .option(
            '--note <note[:line]>',
            'only what this note, or its section, allows',
            noteAndLine,
          )
          .addOption(
            new Option(
              '--replica',
              'share clients, sessions, limits and stop with other replicas',
            ).conflicts('stdio'),
          )
          .addOption(
            new Option('--database <url>', 'the PostgreSQL that replicas share').env(
              'ERRAND_DATABASE',
            ),
          )
          .option(
            '--check',
            'say what is wrong with the database and the logins, and start nothing',
          ),
      ),
    ),
  );
  command.addCommand(clientsCommand(context));
  return withCommonOptions(command)
    .addHelpText(
      'after',
      `
The tools are named server__tool. Over HTTP every request must carry the gateway's token, which stays the same for a
vault until --new-token; ERRAND_TOKEN takes its place. --print-config prints a configuration that holds it.
Over HTTP a client can also limit itself, by ?note=NOTE&line=LINE at the end of the address, or ask for ?search.

Examples:
  errand gateway --stdio --vault ~/notes
  errand gateway --port 3333
  errand gateway --port 3333 --print-config cursor
  errand gateway --stdio --note "Projects/Garden office.md:12"
  errand gateway --replica --database postgres://errand@db/errand --port 3333 --host 0.0.0.0
  errand gateway --replica --port 3333 --oauth-issuer https://login.example.org --oauth-resource https://tools.example.org/mcp`,
    )
    .action(async (options: GatewayCommandOptions) => {
      context.end(await runGateway(options, context));
    });
}

async function runGateway(
  options: GatewayCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const start = options.note && folderOf(options.note.note, terminal.cwd);
  const person = personAt(terminal);
  const jobs = new OpenedJobs();
  const audience = {
    ...person,
    onJobs: jobs.offer,
    canAskCallers: true,
    owner: 'gateway',
  } as const;
  const replicaUrl = options.replica || options.check ? neededUrl(options) : undefined;
  const logins = loginSettings(options, replicaUrl !== undefined);
  if (options.check)
    return printPoints(await checkGateway(replicaUrl ?? '', logins), terminal, options.json);
  // The database is for replicas; jobs of a gateway stay in the file of its vault.
  const { database: _, ...vaultOptions } = options;
  await using vault = await openVault(vaultOptions, context, audience, start);
  // Loaded by those who use it: it would cost every other command its time.
  const { Gateway, gatewayHostFrom, listenOnHttp, noteScope, serveOnStdio } = await import(
    '@errand/gateway'
  );
  await using replica =
    replicaUrl === undefined ? undefined : await openReplica(replicaUrl, person.notifier);
  const scope = replica?.scope(noteScope(vault)) ?? noteScope(vault);
  const query = options.note && queryFor(options.note, terminal.cwd, vault.folder);
  if (query !== undefined) await checkNote(query, scope, vault, terminal);
  const isHttp = options.port !== undefined || options.host !== undefined || replica !== undefined;
  // Each client of a replica has its own.
  const token = isHttp && !replica ? await gatewayToken(options, terminal, vault) : undefined;
  if (options.printConfig !== undefined) {
    const search = options.search ?? false;
    const ways = { ...(isHttp && { port: options.port ?? 0, token, search }) };
    const stdioArgs = [
      ...stdioArgsFor(vault.folder, query),
      ...(options.search ? ['--search'] : []),
    ];
    printConfig(options.printConfig, { ...ways, stdioArgs }, terminal, options.json);
    return exitCode.ok;
  }
  const limited = query && { query: query.toString() };
  const info = { name: 'errand', version };
  using gateway = new Gateway(
    gatewayHostFrom(vault.host, { ...(replica && { admit: replica.admit }) }),
    {
      info,
      scope,
      ...(options.search && { search: true }),
      notifier: person.notifier,
    },
  );
  await using metrics = await offerMetrics('gateway', options, terminal.env, vault.host, jobs);
  if (metrics?.url !== undefined) terminal.stderr.write(`Metrics are at ${metrics.url}/metrics.\n`);
  startServers(vault.host, person.notifier);
  if (!isHttp) {
    const { stdin: input, stdout, rawOutput: output = stdout } = terminal;
    const chain = readChain(terminal.env);
    const sessionPrefix = chain === undefined ? '' : `${chainSession(chain)}:`;
    const end = await serveOnStdio(gateway, { input, output, signal, sessionPrefix, ...limited });
    if (end === 'unread') terminal.abandonOutput?.();
    return exitCode.ok;
  }
  const loginOptions =
    logins && replica && (await openLogins(logins, replica.database, person.notifier));
  await using listener = await listenOnHttp(gateway, {
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
    ...(token !== undefined && {
      token,
      tokenHint: terminalAdvice['configure-gateway-client']({ kind: 'configure-gateway-client' }),
    }),
    ...replica?.listenOptions,
    ...loginOptions,
    routes: { ...replica?.listenOptions.routes, ...loginOptions?.routes },
    ...limited,
  });
  using _following = replica?.follow(vault.host, (name) => listener.closeSession(name));
  const { url } = listener;
  terminal.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  if (token !== undefined) {
    const { port } = new URL(url);
    const how = `errand gateway --port ${port} --print-config PROGRAM`;
    terminal.stderr.write(`Programs need its token. A configuration with it: ${how}\n`);
  }
  if (!signal.aborted) await once(signal, 'abort');
  // A balancer sends what comes now to another replica.
  if (replica !== undefined) await listener.drain(drainMs);
  return exitCode.ok;
}

/** Calls may take this long to end when a replica is asked to leave. */
const drainMs = 20_000;

function queryFor({ note, line }: NoteOption, cwd: string, vaultFolder: string): URLSearchParams {
  const query = new URLSearchParams({ note: pathInVault(note, cwd, vaultFolder) });
  if (line !== undefined) query.set('line', line);
  return query;
}

function stdioArgsFor(folder: string, query: URLSearchParams | undefined): readonly string[] {
  const args = ['gateway', '--stdio', '--vault', folder];
  const [note, line] = [query?.get('note'), query?.get('line')];
  if (note == null) return args;
  return [...args, '--note', `${join(folder, note)}${line == null ? '' : `:${line}`}`];
}

/** An unreadable note is an error now; a broken binding may be fixed while the gateway runs. */
async function checkNote(
  query: URLSearchParams,
  scope: ScopeOf,
  vault: OpenVault,
  { stderr }: Terminal,
): Promise<void> {
  const offered = await scope(query);
  if (offered instanceof HostError) {
    if (offered.code !== 'section_forbids') throw offered;
    stderr.write(advisedText(offered, stderr));
    return;
  }
  const path = query.get('note') ?? '';
  const { problems } = await decideSection({ path }, vault);
  stderr.write(describeBindingProblems(path, problems));
}
