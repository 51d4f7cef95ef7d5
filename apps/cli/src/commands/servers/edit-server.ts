import { type ServerConfig, withChangedServer } from '@errand/host';
import { Command, Option } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { findServer } from '../../find-server.ts';
import { openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { type LaunchOptions, readLaunch, withLaunchOptions } from './launch-options.ts';
import { runTest } from './run-test.ts';

interface EditOptions extends CommonOptions, LaunchOptions {
  readonly rename?: string;
  readonly approval?: 'ask' | 'allow' | 'deny';
  readonly timeout?: string;
}

/** `errand servers edit`: what is given replaces what is stored; the rest stays. */
export function editServerCommand(context: CommandContext): Command {
  return withLaunchOptions(
    new Command('edit')
      .description('Change how a server is reached, its name, or its rules.')
      .argument('<name>'),
  )
    .option('--rename <name>', 'another name')
    .option('--timeout <seconds>', 'how long its calls may take, 1 to 300')
    .addOption(
      new Option('--approval <rule>', 'when a model asks for a tool that is not read-only').choices(
        ['ask', 'allow', 'deny'],
      ),
    )
    .action(async (name: string, command: string[], options: EditOptions) => {
      context.end(await editServer(name, command, options, context));
    });
}

async function editServer(
  name: string,
  command: readonly string[],
  options: EditOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  await using vault = await openVault(options, context, personAt(terminal));
  const before = findServer(vault.host, name);
  const edited = edit(before, command, options);
  await vault.settings.save(
    (settings) => withChangedServer(settings, before.id, () => edited),
    signal,
  );
  await vault.trust.agree([edited]);
  const { error } = await runTest(edited, vault, options, context);
  if (options.json) {
    const json = {
      name: edited.name,
      error: error ? { code: error.code, message: error.message } : null,
    };
    terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else terminal.stdout.write(`Changed ${edited.name}.\n`);
  return error === undefined ? exitCode.ok : exitCode.failed;
}

function edit(
  before: ServerConfig,
  command: readonly string[],
  options: EditOptions,
): ServerConfig {
  const { rename, approval, timeout, image, url } = options;
  const name = rename ?? before.name;
  const isReached = command.length > 0 || image !== undefined || url !== undefined;
  const { localConfig, dockerConfig, httpConfig, sseConfig, ...rest } = before;
  const kept = { localConfig, dockerConfig, httpConfig, sseConfig };
  return {
    ...rest,
    ...(isReached ? readLaunch(name, command, options) : defined(kept)),
    name,
    ...(approval && { approval }),
    ...(timeout !== undefined && { timeout: Number(timeout) * 1000 }),
  };
}

function defined<Value extends object>(
  value: Value,
): { [K in keyof Value]: NonNullable<Value[K]> } {
  const present = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(present) as { [K in keyof Value]: NonNullable<Value[K]> };
}
