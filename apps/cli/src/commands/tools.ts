import type { ServerConfig, ToolDescription } from '@errand/host';
import { blockTemplate, HostError } from '@errand/host';
import { findServer } from '@errand/workspace/servers';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeTool } from '../describe-tool.ts';
import { codeOfFailure, type ExitCode, worstOf } from '../exit-code.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { progressLine } from '../progress-line.ts';

interface ToolsOptions extends CommonOptions {
  readonly template?: boolean;
}

/** `errand tools`: what the servers offer. */
export function toolsCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('tools')
      .description('Show the tools of all enabled servers, or of one, with their parameters.')
      .argument('[server]', 'a server of this vault')
      .option('--template', 'print each tool as a block to paste into a note'),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand tools
  errand tools vault --template >> Scratch.md
  errand tools vault --json`,
    )
    .action(async (server: string | undefined, options: ToolsOptions) => {
      context.end(await showTools(server, options, context));
    });
}

async function showTools(
  name: string | undefined,
  options: ToolsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout } = context.terminal;
  using line = await progressLine(context.terminal);
  const person = personAt(context.terminal, line);
  await using vault = await openVault(options, context, person);
  const { host } = vault;
  const servers =
    name === undefined
      ? host.servers.list().filter(({ enabled }) => enabled)
      : [findServer(host, name)];
  line.show(`asking ${servers.map((server) => server.name).join(', ')}`);
  const listings = await Promise.all(servers.map((server) => list(server, vault, context.signal)));
  const errors = listings.flatMap(({ error }) => error ?? []);
  line.end();
  for (const error of errors) person.notifier.tell(error);
  if (options.json) {
    const tools = listings.flatMap(({ server, tools }) =>
      tools.map((tool) => asJson(server, tool)),
    );
    stdout.write(`${JSON.stringify({ tools }, undefined, 2)}\n`);
  } else if (options.template) {
    const blocks = listings.flatMap(({ server, tools }) =>
      tools.map((tool) => blockTemplate(server.name, tool)),
    );
    stdout.write(blocks.map((block) => `${block}\n`).join('\n'));
  } else {
    for (const { server, tools } of listings) {
      if (tools.length > 0) stdout.write(`${server.name}\n${tools.map(describeTool).join('')}`);
    }
  }
  return worstOf(errors.map(({ code }) => codeOfFailure(code)));
}

interface Listing {
  readonly server: ServerConfig;
  readonly tools: readonly ToolDescription[];
  readonly error?: HostError;
}

/** One server that cannot be reached must not hide the tools of the others. */
async function list(
  server: ServerConfig,
  { host }: OpenVault,
  signal: AbortSignal,
): Promise<Listing> {
  try {
    return { server, tools: await host.servers.tools(server.id, signal) };
  } catch (error) {
    if (!(error instanceof HostError) || signal.aborted) throw error;
    return { server, tools: [], error };
  }
}

function asJson(server: ServerConfig, tool: ToolDescription) {
  const { name, description = '', inputSchema, annotations = {} } = tool;
  return { server: server.name, name, description, inputSchema, annotations };
}
