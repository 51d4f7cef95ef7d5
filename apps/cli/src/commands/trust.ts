import { describeAssistant, describeLaunch, type TrustVerdict } from '@errand/host';
import { Command } from 'commander';
import { askYes } from '../ask.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { openVault } from '../open-vault.ts';
import { isOwnServer } from '../own-programs.ts';
import { personAt } from '../person.ts';

interface TrustCommandOptions extends CommonOptions {
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly yes?: boolean;
}

/** `errand trust`: what a vault would start on this machine, and a person's yes to it. */
export function trustCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('trust')
      .description('Look at what this vault would start on this machine, and say yes to it once.')
      .option('--list', 'only look')
      .option('--revoke', 'take back every yes that was given for this vault')
      .option('--yes', 'say yes without being asked'),
  ).action(async (options: TrustCommandOptions) => {
    context.end(await trust(options, context));
  });
}

async function trust(options: TrustCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  const { stdout } = terminal;
  await using vault = await openVault(options, context, personAt(terminal));
  if (options.revoke) await vault.trust.revoke();
  const servers = vault.host.servers.list();
  const { assistants } = vault.host.servers.settings;
  const look = () => ({
    servers: servers.map((server) => ({
      name: server.name,
      verdict: isOwnServer(server) ? 'trusted' : vault.trust.verdict(server),
      does: describeLaunch(server),
    })),
    assistants: assistants.flatMap((assistant) => {
      const what = describeAssistant(assistant);
      if (what === undefined) return [];
      const verdict = vault.trust.verdictOfAssistant(assistant);
      return [{ name: assistant.name, verdict, does: [`sends ${what}`] }];
    }),
  });
  const seen = look();
  const entries = [...seen.servers, ...seen.assistants];
  const open = entries.filter(({ verdict }) => verdict !== 'trusted');
  const answer = async () => {
    if (options.list || options.revoke || open.length === 0) return false;
    if (options.yes) return true;
    if (!terminal.stdin.isTTY) return false;
    return await askYes('Let this vault do that on this machine?', terminal, signal);
  };
  if (!options.json) stdout.write(describe(entries));
  const agreed = await answer();
  if (agreed) {
    await vault.trust.agree(
      servers.filter((server) => !isOwnServer(server)),
      assistants,
    );
  }
  if (options.json) {
    stdout.write(`${JSON.stringify(look(), undefined, 2)}\n`);
  } else if (agreed) stdout.write('Agreed.\n');
  else if (open.length > 0 && !options.list && !options.revoke) {
    terminal.stderr.write('Nothing was agreed to. Say yes with: errand trust --yes\n');
  }
  return open.length === 0 || agreed || options.list || options.revoke
    ? exitCode.ok
    : exitCode.usage;
}

interface Entry {
  readonly name: string;
  readonly verdict: TrustVerdict;
  readonly does: readonly string[];
}

function describe(entries: readonly Entry[]): string {
  if (entries.length === 0) return 'This vault starts nothing.\n';
  return entries
    .map(({ name, verdict, does }) => {
      const lines = does.map((line) => `    ${line}\n`);
      return `${name}: ${words[verdict]}\n${lines.join('')}`;
    })
    .join('');
}

const words: Readonly<Record<TrustVerdict, string>> = {
  trusted: 'agreed to',
  new: 'came with this vault; nobody on this machine has agreed to it yet',
  changed: 'changed since it was agreed to',
};
