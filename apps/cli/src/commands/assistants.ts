import { duration } from '@errand/document/display';
import { type AssistantConfig, HostError } from '@errand/host';
import {
  type AssistantDraft,
  emptyAssistant,
  saveSettings,
  storeAssistant,
} from '@errand/workspace/settings';
import { Command, Option } from 'commander';
import { advisedText } from '../advice.ts';
import { askSecret } from '../ask.ts';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { messageText } from '../message-text.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { progressLine } from '../progress-line.ts';
import { table } from '../table.ts';

/** `errand assistants`: the language models of this vault. */
export function assistantsCommand(context: CommandContext): Command {
  const list = async (options: CommonOptions) => {
    context.end(await listAssistants(options, context));
  };
  const command = withCommonOptions(
    new Command('assistants').description(
      'Show the language models of this vault; the first is the default.',
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand assistants add Claude --provider anthropic --model claude-sonnet-4-5
  errand assistants add Local --base-url http://127.0.0.1:11434/v1 --model qwen3
  errand assistants test Claude`,
    )
    .action(list);
  const same = new Command('list').alias('ls').description('The same as without a subcommand.');
  const subcommands = [
    same.action(list),
    addCommand(context),
    testCommand(context),
    removeCommand(context),
  ];
  for (const each of subcommands) command.addCommand(withCommonOptions(each));
  return passOptionsOn(command);
}

async function listAssistants(options: CommonOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  await using vault = await openVault(options, context, personAt(terminal));
  const assistants = vault.host.servers.settings.assistants.map((assistant) => ({
    ...asJson(assistant),
    trust: vault.trust.verdictOfAssistant(assistant),
  }));
  if (options.json) terminal.stdout.write(`${JSON.stringify({ assistants }, undefined, 2)}\n`);
  else if (assistants.length === 0) {
    const advice = [{ kind: 'add-assistant' }] as const;
    terminal.stdout.write(advisedText({ message: 'This vault has no assistants.', advice }));
  } else {
    const rows = assistants.map(({ name, provider, model, baseUrl, trust }) => [
      name,
      provider,
      model,
      baseUrl ?? '',
      trust === 'trusted' ? '' : 'needs approval: errand trust',
    ]);
    terminal.stdout.write(table(rows));
  }
  return exitCode.ok;
}

interface AddOptions extends CommonOptions {
  readonly provider?: AssistantConfig['provider'];
  readonly model: string;
  readonly baseUrl?: string;
  readonly key?: string;
  readonly askKey?: boolean;
  readonly temperature?: string;
}

function addCommand(context: CommandContext): Command {
  return new Command('add')
    .description('Store a language model, and its key as a secret.')
    .argument('<name>', 'opens its answers in a note: letters, digits, - and _')
    .requiredOption('--model <model>', 'its name as the provider writes it')
    .addOption(
      new Option(
        '--provider <provider>',
        'who runs it (with --base-url: openai-compatible)',
      ).choices(['anthropic', 'openai', 'google', 'openai-compatible']),
    )
    .option('--base-url <url>', 'where its API is, when not at the provider')
    .option('--key <reference>', `its key, as \${secret:NAME} or \${env:NAME}`)
    .option('--ask-key', 'ask for its key, or take what is piped in, and store it as a secret')
    .option('--temperature <number>', '0 to 2')
    .action(async (name: string, options: AddOptions) => {
      const { stdout } = context.terminal;
      await using vault = await openVault(options, context, personAt(context.terminal));
      const draft = await readDraft(name, options, context);
      const { assistant, refused } = await storeAssistant(vault, draft);
      if (refused !== undefined) throw refusal(refused);
      const next = `Test it with: errand assistants test ${assistant.name}`;
      stdout.write(
        options.json
          ? `${JSON.stringify(asJson(assistant), undefined, 2)}\n`
          : `Added ${assistant.name}. ${next}\n`,
      );
      context.end(exitCode.ok);
    });
}

async function readDraft(
  name: string,
  options: AddOptions,
  { terminal, signal }: CommandContext,
): Promise<AssistantDraft> {
  const { model, baseUrl = '', key = '', askKey, temperature = '' } = options;
  const provider = options.provider ?? (baseUrl === '' ? undefined : 'openai-compatible');
  if (provider === undefined) {
    throw new HostError(
      'settings_invalid',
      'Give --provider anthropic, openai or google, or --base-url URL.',
    );
  }
  const needsKey = provider !== 'openai-compatible' && baseUrl === '' && key === '';
  if (needsKey && !askKey && !terminal.stdin.isTTY) {
    throw new HostError(
      'settings_invalid',
      `${provider} needs a key. Pipe it in with --ask-key, or name it with --key '\${secret:NAME}'.`,
    );
  }
  const question = `Key for ${provider} (not shown): `;
  const newKey = askKey || needsKey ? await askSecret(question, terminal, signal) : '';
  if ((askKey || needsKey) && newKey.trim() === '') {
    throw new HostError('secret_missing', 'No value given; nothing was stored.');
  }
  return { ...emptyAssistant, name, provider, model, baseUrl, key, newKey, temperature };
}

/** What is wrong, at the option that gave it. */
function refusal({ path, message }: { readonly path: string; readonly message: string }) {
  const option = path === 'name' ? 'The name' : `--${path.replace('baseUrl', 'base-url')}`;
  return new HostError('settings_invalid', `${option}: ${message} Nothing was saved.`);
}

function testCommand(context: CommandContext): Command {
  return new Command('test')
    .description('Ask a model a tiny question and show whether it answers.')
    .argument('[name]', 'an assistant (default: the first)')
    .action(async (name: string | undefined, options: CommonOptions) => {
      const { terminal, signal } = context;
      using line = await progressLine(terminal);
      await using vault = await openVault(options, context, personAt(terminal, line));
      // Only this and asking need it, and it is large.
      const { chooseAssistant } = await import('@errand/assistant');
      const { testModel } = await import('@errand/assistant/setup');
      const { references, trust } = vault;
      const config = chooseAssistant(vault.host.servers.settings.assistants, name);
      line.show(`asking ${config.name}`);
      const started = performance.now();
      const ports = { ...references, mayUse: trust.mayUse };
      const failure = await testModel(config, ports, signal);
      const durationMs = Math.round(performance.now() - started);
      line.end();
      if (options.json) {
        const json = { name: config.name, durationMs, error: failure ?? null };
        terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      } else if (failure === undefined) {
        terminal.stdout.write(`${config.name} works (${duration(durationMs)}).\n`);
      } else terminal.stderr.write(advisedText(failure, terminal.stderr));
      const isSettings = failure?.code === 'key_refused' || failure?.code === 'model_unknown';
      const code = isSettings ? exitCode.usage : exitCode.failed;
      context.end(failure === undefined ? exitCode.ok : code);
    });
}

function removeCommand(context: CommandContext): Command {
  return new Command('remove')
    .description('Remove a language model from the settings; its key stays a secret.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      const { stdout, stderr } = context.terminal;
      await using vault = await openVault(options, context, personAt(context.terminal));
      const removed = findAssistant(vault, name);
      await saveSettings(
        vault,
        (all) => ({
          ...all,
          assistants: all.assistants.filter((each) => each.name !== removed.name),
        }),
        context.signal,
      );
      const json = JSON.stringify({ name: removed.name, removed: true });
      stdout.write(options.json ? `${json}\n` : `Removed ${removed.name}.\n`);
      const [, secret] = /^\$\{secret:([\w.-]+)\}$/.exec(removed.key ?? '') ?? [];
      if (secret !== undefined && !options.json) {
        stderr.write(messageText(`Its key stays. Forget it with: errand secrets remove ${secret}`));
      }
      context.end(exitCode.ok);
    });
}

function findAssistant({ host }: OpenVault, name: string): AssistantConfig {
  const { assistants } = host.servers.settings;
  const found = assistants.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = assistants.map((each) => each.name).join(', ');
  const others = names === '' ? 'This vault has none.' : `There are: ${names}.`;
  throw new HostError('settings_invalid', `No assistant is called "${name}". ${others}`);
}

function asJson({ name, provider, model, baseUrl = null, key = null }: Json) {
  return { name, provider, model, baseUrl, key };
}

type Json = Omit<AssistantConfig, 'baseUrl' | 'key'> & {
  readonly baseUrl?: string | null;
  readonly key?: string | null;
};
