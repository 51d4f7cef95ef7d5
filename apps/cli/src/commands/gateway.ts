import { once } from 'node:events';
import { join } from 'node:path';
import type { ScopeOf } from '@errand/gateway';
import { decideSection, HostError } from '@errand/host';
import { Command, Option } from 'commander';
import { advisedText, terminalAdvice } from '../advice.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import {
  type AccessOptions,
  gatewayToken,
  printConfig,
  withAccessOptions,
} from '../gateway-access.ts';
import { type NoteOption, noteAndLine } from '../note-option.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { portNumber } from '../port-number.ts';
import { startServers } from '../start-servers.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';

interface GatewayCommandOptions extends CommonOptions, AccessOptions {
  readonly port?: number;
  readonly host?: string;
  readonly note?: NoteOption;
  readonly search?: boolean;
}

/** `errand gateway`: all enabled servers as one MCP server. */
export function gatewayCommand(context: CommandContext): Command {
  const command = withAccessOptions(
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
      .option('--note <note[:line]>', 'only what this note, or its section, allows', noteAndLine),
  );
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
  errand gateway --stdio --note "Projects/Garden office.md:12"`,
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
  const audience = { ...person, canAskCallers: true, owner: 'gateway' } as const;
  await using vault = await openVault(options, context, audience, start);
  // Loaded by those who use it: it would cost every other command its time.
  const { Gateway, gatewayHostFrom, listenOnHttp, noteScope, serveOnStdio } = await import(
    '@errand/gateway'
  );
  const scope = noteScope(vault);
  const query = options.note && queryFor(options.note, terminal.cwd, vault.folder);
  if (query !== undefined) await checkNote(query, scope, vault, terminal);
  const isHttp = options.port !== undefined || options.host !== undefined;
  const token = isHttp ? await gatewayToken(options, terminal, vault) : undefined;
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
  using gateway = new Gateway(gatewayHostFrom(vault.host), {
    info,
    scope,
    ...(options.search && { search: true }),
    notifier: person.notifier,
  });
  startServers(vault.host, person.notifier);
  if (!isHttp) {
    const { stdin: input, stdout, rawOutput: output = stdout } = terminal;
    const end = await serveOnStdio(gateway, { input, output, signal, ...limited });
    if (end === 'unread') terminal.abandonOutput?.();
    return exitCode.ok;
  }
  await using listener = await listenOnHttp(gateway, {
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
    ...(token !== undefined && {
      token,
      tokenHint: terminalAdvice['configure-gateway-client']({ kind: 'configure-gateway-client' }),
    }),
    ...limited,
  });
  const { url } = listener;
  terminal.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  if (token !== undefined) {
    const { port } = new URL(url);
    const how = `errand gateway --port ${port} --print-config PROGRAM`;
    terminal.stderr.write(`Programs need its token. A configuration with it: ${how}\n`);
  }
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}

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
