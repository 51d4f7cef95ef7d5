import type { AssistantConfig, Host, ServerConfig, TrustVerdict } from '@errand/host';
import { describeAssistant } from '@errand/workspace/conversations';
import { findServer, serverApproval } from '@errand/workspace/servers';
import { Command } from 'commander';
import { confirm } from '../ask.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { markLines } from '../mark-lines.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import type { Terminal } from '../terminal.ts';

interface TrustCommandOptions extends CommonOptions {
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly yes?: boolean;
}

/** `errand trust`: shows what a vault would start on this machine, and stores the approval. */
export function trustCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('trust')
      .description('Review what this vault would start on this machine, and approve it once.')
      .argument('[name...]', 'only these servers or assistants (default: all)')
      .option('--list', 'only show')
      .option('--revoke', 'withdraw the approvals given for this vault')
      .option('--yes', 'approve without being asked'),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand trust --list
  errand trust weather
  errand trust --revoke weather`,
    )
    .action(async (names: string[], options: TrustCommandOptions) => {
      context.end(await trust(names, options, context));
    });
}

async function trust(
  names: readonly string[],
  options: TrustCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const { stdout } = terminal;
  await using vault = await openVault(options, context, personAt(terminal));
  const named = findNamed(names, vault.host);
  if (options.revoke) {
    await (names.length === 0
      ? vault.trust.revoke()
      : vault.trust.revoke(named.servers, named.assistants));
  }
  const servers = named.servers.map((server) => {
    const shown = vault.trust.show(server);
    const { verdict, claims } = serverApproval(vault, server);
    return { entry: shown, name: server.name, does: shown.does, verdict, tools: claims };
  });
  const assistants = named.assistants.map((assistant) => ({
    entry: assistant,
    name: assistant.name,
    does: describeAssistant(assistant),
    verdict: vault.trust.verdictOfAssistant(assistant),
    tools: [],
  }));
  const open = { servers: servers.filter(isOpen), assistants: assistants.filter(isOpen) };
  const isAllAgreed = open.servers.length === 0 && open.assistants.length === 0;
  const answer = async () => {
    if (options.list || options.revoke || isAllAgreed) return false;
    if (options.yes) return true;
    if (!terminal.stdin.isTTY) return false;
    const does = open.assistants.length === 0 ? 'start' : 'use';
    return await confirm(`Let this vault ${does} them on this machine?`, terminal, signal);
  };
  if (!options.json) stdout.write(describe([...servers, ...assistants], stdout));
  const agreed = await answer();
  if (agreed) {
    const entryOf = <Value>({ entry }: { readonly entry: Value }) => entry;
    await vault.trust.agreeTo(open.servers.map(entryOf), open.assistants.map(entryOf));
    await vault.host.hints.agree(open.servers.map(({ entry }) => entry.server));
  }
  if (options.json) {
    const asJson = ({ name, verdict, does, tools }: Entry) => ({
      name,
      verdict: agreed ? 'trusted' : verdict,
      does,
      tools: agreed ? [] : tools,
    });
    const json = { servers: servers.map(asJson), assistants: assistants.map(asJson) };
    stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (agreed) stdout.write('Agreed.\n');
  else if (!isAllAgreed && !options.list && !options.revoke) {
    const command = ['errand trust', ...names, '--yes'].join(' ');
    terminal.stderr.write(`Nothing was approved. Approve it with: ${command}\n`);
  }
  return isAllAgreed || agreed || options.list || options.revoke ? exitCode.ok : exitCode.usage;
}

/** The servers and assistants of these names; all of them when none is given. */
function findNamed(names: readonly string[], host: Pick<Host, 'servers'>): Named {
  const { assistants } = host.servers.settings;
  if (names.length === 0) return { servers: host.servers.list(), assistants };
  const isNamed = ({ name }: { readonly name: string }) =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  const models = assistants.filter(isNamed);
  const others = names.filter(
    (name) => !models.some((model) => model.name.toLowerCase() === name.toLowerCase()),
  );
  const servers = others.map((name) => findServer(host, name));
  return {
    servers: [...new Set([...host.servers.list().filter(isNamed), ...servers])],
    assistants: models,
  };
}

interface Named {
  readonly servers: readonly ServerConfig[];
  readonly assistants: readonly AssistantConfig[];
}

interface Entry {
  readonly name: string;
  readonly verdict: TrustVerdict;
  readonly does: readonly string[];
  /** What its tools claim beyond what was agreed to. */
  readonly tools: readonly string[];
}

function isOpen({ verdict, tools }: Entry): boolean {
  return verdict !== 'trusted' || tools.length > 0;
}

function describe(entries: readonly Entry[], stdout: Terminal['stdout']): string {
  if (entries.length === 0) return 'This vault starts nothing.\n';
  return entries
    .map(({ name, verdict, does, tools }) => {
      const claims = tools.length > 0 ? `its tools claim more than when it was agreed to:\n` : '';
      return `${name}: ${words[verdict]}\n${markLines(does.join('\n'), stdout)}${claims}${tools.map((line) => markLines(line, stdout)).join('')}`;
    })
    .join('');
}

const words: Readonly<Record<TrustVerdict, string>> = {
  trusted: 'agreed to',
  new: 'came with this vault; nobody on this machine has agreed to it yet',
  changed: 'changed since it was agreed to',
};
