import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { briefFailure, newServer } from '@errand/host';
import { addServers } from '@errand/workspace/servers';
import { Command } from 'commander';
import { advisedText } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { codeOfFailure, type ExitCode, exitCode } from '../../exit-code.ts';
import { openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { checkName } from './check-name.ts';
import { keepTypedSecrets, type SecretOptions, withSecretOptions } from './keep-secrets.ts';
import { type LaunchOptions, readLaunch, withLaunchOptions } from './launch-options.ts';
import { runTest } from './run-test.ts';
import { changeTools, type ToolOptions, withToolOptions } from './tool-options.ts';
import { storeTypedPaths } from './typed-paths.ts';

interface AddOptions extends CommonOptions, LaunchOptions, SecretOptions, ToolOptions {
  readonly disabled?: boolean;
}

/** `errand servers add`: stored, tested, and switched on when it works. */
export function addServerCommand(context: CommandContext): Command {
  const command = withLaunchOptions(
    new Command('add')
      .description('Register a server; it is tested, and enabled when it works.')
      .argument('<name>', 'also the language of its blocks: letters, digits, - and _'),
  );
  return withToolOptions(withSecretOptions(command))
    .option('--disabled', 'store it disabled and untested')
    .addHelpText(
      'after',
      `
Examples:
  errand servers add files -- npx -y @modelcontextprotocol/server-filesystem .
  errand servers add files --sandbox bwrap --mount . -- files-server .
  errand servers add files --allow-tool 'read_*' --allow-tool 'list_*' -- files-server .
  errand servers add weather --image mcp/weather:1 --env UNITS=metric
  errand servers add docs --image mcp/docs:2 --transport http --port 8080
  errand servers add crm --url https://crm.example/mcp --header 'Authorization=Bearer \${secret:crm}'`,
    )
    .action(async (name: string, command: string[], options: AddOptions) => {
      context.end(await addServer(name, command, options, context));
    });
}

async function addServer(
  name: string,
  command: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  // A mistake is told before anything is stored.
  readLaunch(name, command, options);
  await using vault = await openVault(options, context, personAt(terminal));
  checkName(name, vault.host.servers.list());
  const kept = await keepTypedSecrets(name, options, vault.secrets, context);
  const launch = storeTypedPaths(readLaunch(name, command, kept), vault.folder, terminal);
  const entry = newServer(changeTools(launch, options), crypto.randomUUID());
  const isNewFile = !existsSync(join(vault.folder, vault.settings.name));
  await addServers(vault, () => [entry], { signal });
  if (isNewFile) terminal.stderr.write(`Created ${vault.settings.name} in ${vault.folder}\n`);
  const tested = options.disabled ? undefined : await runTest(entry, vault, options, context);
  const isWorking = tested !== undefined && tested.error === undefined;
  if (isWorking) await vault.host.servers.setEnabled(entry.id, true, signal);
  if (options.json) {
    const error = tested?.error && briefFailure(tested.error);
    const json = { id: entry.id, name, enabled: isWorking, error: error ?? null };
    terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (isWorking) terminal.stdout.write(`Added ${name}, enabled.\n`);
  else if (tested === undefined) {
    const advice = [{ kind: 'enable-server', server: name }] as const;
    terminal.stdout.write(advisedText({ message: `Added ${name}, disabled.`, advice }));
  } else {
    terminal.stdout.write(
      `Added ${name}, disabled because it does not work yet. Correct it with: errand servers edit ${name}\n`,
    );
  }
  return tested?.error === undefined ? exitCode.ok : codeOfFailure(tested.error.code);
}
