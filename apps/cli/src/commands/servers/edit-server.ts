import {
  type ApprovalRule,
  approvalRules,
  briefFailure,
  HostError,
  type ServerConfig,
} from '@errand/host';
import { changeServer, findServer } from '@errand/workspace/servers';
import { Command, Option } from 'commander';
import { advisedText } from '../../advice.ts';
import { callTimeout } from '../../call-timeout.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { codeOfFailure, type ExitCode, exitCode } from '../../exit-code.ts';
import { openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { checkName } from './check-name.ts';
import { editLaunch, type RemovedParts, removedParts, removeParts } from './edit-launch.ts';
import {
  keepTypedSecrets,
  replacedSecrets,
  type SecretOptions,
  withSecretOptions,
} from './keep-secrets.ts';
import { type LaunchOptions, launchOptions, withLaunchOptions } from './launch-options.ts';
import { runTest } from './run-test.ts';
import {
  changeTools,
  type RemovedTools,
  type ToolOptions,
  toolOptions,
  withRemovedTools,
  withToolOptions,
} from './tool-options.ts';
import { storeTypedPaths } from './typed-paths.ts';

interface EditOptions
  extends CommonOptions,
    LaunchOptions,
    RemovedParts,
    SecretOptions,
    ToolOptions,
    RemovedTools {
  readonly disabled?: boolean;
  readonly rename?: string;
  readonly approval?: ApprovalRule;
  readonly timeout?: number;
}

/** `errand servers edit`: what is given replaces what is stored; the rest stays. */
export function editServerCommand(context: CommandContext): Command {
  const command = withLaunchOptions(
    new Command('edit')
      .description('Change how a server is reached, its name, or its rules; enabled when it works.')
      .argument('<name>'),
  );
  return withRemovedTools(withToolOptions(withSecretOptions(command)))
    .option('--disabled', 'leave a server that is switched off as it is')
    .option('--unset-env <name>', 'remove a variable; may be given again', collect)
    .option('--unset-header <name>', 'remove a header; may be given again', collect)
    .option('--unset-cwd', 'run the command in an empty folder again')
    .option('--rename <name>', 'another name')
    .option('--timeout <seconds>', 'how long its calls may take, 1 to 300', callTimeout)
    .addOption(
      new Option('--approval <rule>', 'how calls of a model are treated').choices(approvalRules),
    )
    .addHelpText(
      'after',
      `
What is not given stays as it is; a variable, header or tool is added to those that are there.

Examples:
  errand servers edit weather --env UNITS=metric
  errand servers edit weather --unset-env UNITS
  errand servers edit files --deny-tool 'delete_*'
  errand servers edit crm --rename customers --timeout 60
  errand servers edit files -- npx -y @modelcontextprotocol/server-filesystem Projects`,
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
  const { rename = before.name, approval, timeout } = options;
  const isReachedAnew =
    command.length > 0 ||
    [...launchOptions, ...removedParts].some((key) => options[key] !== undefined);
  const isLimitedAnew = toolOptions.some((key) => options[key] !== undefined);
  const isOther = options.rename || approval || timeout !== undefined;
  if (!isReachedAnew && !isLimitedAnew && !isOther) {
    throw new HostError(
      'settings_invalid',
      `Nothing to change in ${before.name}. See the options with: errand servers edit --help`,
    );
  }
  const others = vault.host.servers.list().filter(({ id }) => id !== before.id);
  if (options.rename !== undefined) checkName(rename, others);
  const replaced = replacedSecrets(before, others, options);
  const kept = await keepTypedSecrets(rename, options, vault.secrets, context, replaced);
  const reachAnew = (stored: ServerConfig) => {
    const launch = editLaunch(removeParts(stored, options), command, kept);
    return command.length > 0 ? storeTypedPaths(launch, vault.folder, terminal) : launch;
  };
  // From what is stored: `before` also has what this machine knows of the server.
  const change = (stored: ServerConfig): ServerConfig => ({
    ...changeTools(isReachedAnew ? reachAnew(stored) : stored, options),
    name: rename,
    ...(approval && { approval }),
    ...(timeout !== undefined && { timeout }),
  });
  const changed = await changeServer(vault, before.id, change, signal);
  const edited = changed?.entry ?? findServer(vault.host, name);
  const wasEnabled = findServer(vault.host, edited.name).enabled;
  const refusal = vault.trust.mayStart(edited);
  const error = isReachedAnew
    ? (refusal ?? (await runTest(edited, vault, options, context)).error)
    : undefined;
  const isEnabled =
    isReachedAnew && error === undefined && !wasEnabled && options.disabled !== true;
  if (isEnabled) await vault.host.servers.setEnabled(before.id, true, signal);
  if (options.json) {
    const json = {
      name: edited.name,
      enabled: isEnabled || wasEnabled,
      error: error ? briefFailure(error) : null,
    };
    terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else {
    if (refusal !== undefined && isReachedAnew) {
      terminal.stderr.write(advisedText(refusal, terminal.stderr));
    }
    const isNext = !wasEnabled && !isEnabled && error === undefined;
    const advice = isNext ? [{ kind: 'enable-server', server: edited.name } as const] : [];
    terminal.stdout.write(
      advisedText({ message: `Changed ${edited.name}${isEnabled ? ', enabled' : ''}.`, advice }),
    );
  }
  return error === undefined ? exitCode.ok : codeOfFailure(error.code);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
