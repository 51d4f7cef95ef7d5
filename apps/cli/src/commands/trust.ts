import type { TrustVerdict } from '@errand/host';
import { describeAssistant } from '@errand/workspace/conversations';
import { serverApproval } from '@errand/workspace/servers';
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
      .option('--list', 'only look')
      .option('--revoke', 'withdraw every approval given for this vault')
      .option('--yes', 'approve without being asked'),
  ).action(async (options: TrustCommandOptions) => {
    context.end(await trust(options, context));
  });
}

async function trust(options: TrustCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  const { stdout } = terminal;
  await using vault = await openVault(options, context, personAt(terminal));
  if (options.revoke) await vault.trust.revoke();
  const servers = vault.host.servers.list().map((server) => {
    const shown = vault.trust.show(server);
    const { verdict, claims } = serverApproval(vault, server);
    return { entry: shown, name: server.name, does: shown.does, verdict, tools: claims };
  });
  const assistants = vault.host.servers.settings.assistants.map((assistant) => ({
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
    terminal.stderr.write('Nothing was approved. Approve it with: errand trust --yes\n');
  }
  return isAllAgreed || agreed || options.list || options.revoke ? exitCode.ok : exitCode.usage;
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
