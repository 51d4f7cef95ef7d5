import type { Hook } from '@errand/hooks';
import type { AssistantConfig, Host, ServerConfig, TrustVerdict } from '@errand/host';
import { describeAssistant } from '@errand/workspace/conversations';
import { describeHook, nameServers } from '@errand/workspace/hooks';
import { findServer, serverApproval } from '@errand/workspace/servers';
import { Command } from 'commander';
import { word } from '../advice.ts';
import { confirm } from '../ask.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { markLines } from '../mark-lines.ts';
import { localHooks } from '../open-local-hooks.ts';
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
      .argument('[name...]', 'only these servers, assistants or hooks (default: all)')
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
  const person = personAt(terminal);
  await using vault = await openVault(options, context, person);
  await using own = await localHooks(vault, context, person.notifier);
  const named = findNamed(names, vault.host, own.engine.hooks);
  if (options.revoke) {
    await (names.length === 0
      ? vault.trust.revoke()
      : vault.trust.revoke(named.servers, named.assistants));
    await own.trust.revoke(named.hooks);
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
  const hooks = named.hooks.map((hook) => {
    const verdict = own.trust.verdict(hook);
    return {
      entry: hook,
      name: hook.name,
      does: describeHook(nameServers(hook, vault.host.servers.list())),
      verdict: verdict === 'untrusted' ? 'new' : verdict,
      tools: [],
    } as const;
  });
  const open = {
    servers: servers.filter(isOpen),
    assistants: assistants.filter(isOpen),
    hooks: hooks.filter(isOpen),
  };
  const isAllAgreed = Object.values(open).every((entries) => entries.length === 0);
  const answer = async () => {
    if (options.list || options.revoke || isAllAgreed) return false;
    if (options.yes) return true;
    if (!terminal.stdin.isTTY) return false;
    const does = open.assistants.length + open.hooks.length === 0 ? 'start' : 'use';
    return await confirm(`Let this vault ${does} them on this machine?`, terminal, signal);
  };
  if (!options.json) stdout.write(describe([...servers, ...assistants, ...hooks], stdout));
  const agreed = await answer();
  if (agreed) {
    const entryOf = <Value>({ entry }: { readonly entry: Value }) => entry;
    await vault.trust.agreeTo(open.servers.map(entryOf), open.assistants.map(entryOf));
    await vault.host.hints.agree(open.servers.map(({ entry }) => entry.server));
    // As they were shown: one that was changed meanwhile asks again.
    if (open.hooks.length > 0) await own.trust.agree(open.hooks.map(entryOf));
  }
  if ((agreed || options.revoke) && hooks.length > 0) {
    await vault.sharing?.request({ service: 'hooks', method: 'reload', params: {} }, signal);
  }
  if (options.json) {
    const asJson = ({ name, verdict, does, tools }: Entry) => ({
      name,
      verdict: agreed ? 'trusted' : verdict,
      does,
      tools: agreed ? [] : tools,
    });
    const json = {
      servers: servers.map(asJson),
      assistants: assistants.map(asJson),
      hooks: hooks.map(asJson),
    };
    stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (agreed) stdout.write('Agreed.\n');
  else if (!isAllAgreed && !options.list && !options.revoke) {
    const command = ['errand trust', ...names.map(word), '--yes'].join(' ');
    terminal.stderr.write(`Nothing was approved. Approve it with: ${command}\n`);
  }
  return isAllAgreed || agreed || options.list || options.revoke ? exitCode.ok : exitCode.usage;
}

/** The servers, assistants and hooks of these names; all of them when none is given. */
function findNamed(
  names: readonly string[],
  host: Pick<Host, 'servers'>,
  hooks: readonly Hook[],
): Named {
  const { assistants } = host.servers.settings;
  if (names.length === 0) return { servers: host.servers.list(), assistants, hooks };
  const isNamed = ({ name }: { readonly name: string }) =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  const models = assistants.filter(isNamed);
  const chosen = hooks.filter(isNamed);
  const others = names.filter(
    (name) =>
      ![...models, ...chosen].some((each) => each.name.toLowerCase() === name.toLowerCase()),
  );
  const servers = others.map((name) => findServer(host, name));
  return {
    servers: [...new Set([...host.servers.list().filter(isNamed), ...servers])],
    assistants: models,
    hooks: chosen,
  };
}

interface Named {
  readonly servers: readonly ServerConfig[];
  readonly assistants: readonly AssistantConfig[];
  readonly hooks: readonly Hook[];
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
