import {
  type AgentProgram,
  agentPrograms,
  agentTitle,
  type BridgeChange,
  bridgeArguments,
  openBridges,
} from '@errand/hooks/bridge';
import { HostError } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import { ownCommand } from '@errand/wire/node';
import { Argument, Command } from 'commander';
import { confirm } from '../../ask.ts';
import { bridgeEvent } from '../../bridge-event.ts';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { vaultFolder } from '../../open-vault.ts';
import { table } from '../../table.ts';

interface BridgeOptions extends CommonOptions {
  readonly user?: boolean;
  readonly yes?: boolean;
  readonly strict?: boolean;
}

/** `errand hooks bridge`: agents that tell hooks what they do. */
export function bridgeCommand(context: CommandContext): Command {
  const agent = () => new Argument('<agent>', 'the agent').choices(agentPrograms);
  const command = new Command('bridge')
    .description('Show which coding agents tell the hooks of this vault what they do.')
    .addHelpText(
      'after',
      `
A bridge is an entry in the file of hooks of an agent, which runs errand hooks bridge event when somebody gives it a prompt
and when it has answered. Only then do hooks run before an operation of SpecKit or OpenSpec.

Examples:
  errand hooks bridge install claude
  errand hooks bridge install cursor --user
  errand hooks bridge remove claude`,
    )
    .action((options: CommonOptions) => listBridges(options, context));
  const subcommands = [
    withChangeOptions(
      new Command('install').description('Let an agent tell the hooks what it does.'),
    )
      .addArgument(agent())
      .option('--strict', 'deny operations while no program runs the hooks of the vault')
      .action(async (program: AgentProgram, options: BridgeOptions) => {
        context.end(await changeBridge('install', program, options, context));
      }),
    withChangeOptions(
      new Command('remove').description('Take out what install has put into the file of an agent.'),
    )
      .addArgument(agent())
      .action(async (program: AgentProgram, options: BridgeOptions) => {
        context.end(await changeBridge('remove', program, options, context));
      }),
    new Command('event')
      .description('Hand over what an agent says on standard input; agents run this.')
      .addArgument(agent())
      .option('--strict', 'deny operations while no program runs the hooks of the vault')
      .action(async (program: AgentProgram, options: BridgeOptions) => {
        const { terminal, signal } = context;
        await bridgeEvent(program, options, { ...terminal, signal });
        context.end(exitCode.ok);
      }),
  ];
  for (const each of subcommands) command.addCommand(withCommonOptions(each));
  return passOptionsOn(command);
}

function withChangeOptions(command: Command): Command {
  return command
    .option('--user', 'for all your projects, in your own file of the agent')
    .option('--yes', 'without being asked');
}

async function listBridges(options: CommonOptions, context: CommandContext): Promise<void> {
  const { cwd, stdout, stderr } = context.terminal;
  const vault = await vaultFolder(options, cwd, cwd);
  const all = await openBridges(vault, currentPlatform()).list();
  const bridges = all.filter(({ isInstalled }) => isInstalled);
  const problems = all.flatMap(({ problem }) => problem ?? []);
  if (options.json) {
    const json = {
      vault,
      bridges: bridges.map(({ program, scope, file, events, command }) => ({
        agent: program,
        scope,
        file,
        events,
        command,
      })),
      problems,
    };
    stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (bridges.length === 0) {
    stdout.write(
      'No agent tells hooks what it does. Let one with: errand hooks bridge install AGENT\n',
    );
  } else {
    const rows = bridges.map(({ program, scope, file, events }) => [
      agentTitle(program),
      scope === 'user' ? 'every vault' : 'this vault',
      events.join(', '),
      file,
    ]);
    stdout.write(table(rows));
  }
  if (!options.json) for (const problem of problems) stderr.write(markLines(problem, stderr));
  context.end(exitCode.ok);
}

async function changeBridge(
  verb: 'install' | 'remove',
  program: AgentProgram,
  options: BridgeOptions,
  { terminal, signal }: CommandContext,
) {
  const { cwd, stdout, stderr, stdin } = terminal;
  const vault = await vaultFolder(options, cwd, cwd);
  const bridges = openBridges(vault, currentPlatform());
  const scope = options.user ? 'user' : 'project';
  const own = ownCommand('errand', terminal.env).map(shellWord).join(' ');
  const command = [own, bridgeArguments(program)];
  if (options.strict) command.push('--strict');
  const change =
    verb === 'install'
      ? await bridges.planInstall(program, scope, command.join(' '))
      : await bridges.planRemoval(program, scope);
  const isChanged = change.before !== change.after;
  if (!options.json) stdout.write(describeChange(change, program));
  const isAgreed =
    !isChanged ||
    options.yes === true ||
    (stdin.isTTY === true && (await confirm(`Write this to ${change.file}?`, terminal, signal)));
  if (isAgreed && !(await bridges.apply(program, scope, change))) {
    const message = `${change.file} was changed meanwhile, and was left as it is. Try again.`;
    throw new HostError('settings_invalid', message);
  }
  if (options.json) {
    const json = { agent: program, scope, file: change.file, changed: isChanged && isAgreed };
    stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (isChanged && isAgreed) {
    stdout.write(done(verb, program));
    stderr.write(warnOfPlace(verb === 'install' && scope === 'project' && own !== 'errand'));
  }
  if (isAgreed) return exitCode.ok;
  stderr.write('Nothing was written. Agree to it on a terminal, or with --yes.\n');
  return exitCode.usage;
}

/** Others who use the project have errand elsewhere. */
function warnOfPlace(isShared: boolean): string {
  if (!isShared) return '';
  return 'Note: errand is not on the PATH, so the entry names a place of this machine.\n';
}

function done(verb: 'install' | 'remove', program: AgentProgram): string {
  const title = agentTitle(program);
  if (verb === 'remove') return `${title} tells hooks nothing any more.\n`;
  const trust = program === 'codex' ? ' Codex asks you to trust the new hook: /hooks.' : '';
  return `${title} tells hooks what it does, while errand up, serve or gateway runs.${trust}\n`;
}

/** The lines of a file that come or go. */
function describeChange({ file, before, after }: BridgeChange, program: AgentProgram): string {
  if (before === after) {
    const state = before === undefined ? 'There is no file' : 'Nothing to change in';
    return `${state} ${file} of ${agentTitle(program)}.\n`;
  }
  const [old, now] = [before, after].map((text) => (text ?? '').split(/\r?\n/)) as [
    string[],
    string[],
  ];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const part = (lines: readonly string[], sign: string) =>
    lines.slice(start, lines.length - end).map((line) => `${sign} ${line}\n`);
  const what = before === undefined ? ' (new)' : after === undefined ? ' (removed)' : '';
  return [`${file}${what}\n`, ...part(old, '-'), ...part(now, '+')].join('');
}

function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
