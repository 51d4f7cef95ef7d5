import {
  namedReferences,
  newServer,
  oneLine,
  type SecretStore,
  type ServerConfig,
  takeSecrets,
} from '@errand/host';
import type { Command } from 'commander';
import { confirmUnlessNo } from '../../ask.ts';
import type { CommandContext } from '../../command-context.ts';
import type { LaunchOptions } from './launch-options.ts';

/** What becomes of values that look like secrets. */
export interface SecretOptions {
  readonly keepPlain?: boolean;
  readonly storeSecrets?: boolean;
}

/** Adds the options about values that look like secrets. */
export function withSecretOptions(command: Command): Command {
  return command
    .option('--store-secrets', 'keep what looks like a secret outside the vault, without asking')
    .option('--keep-plain', 'leave what looks like a secret in the settings as it is');
}

/** Whether these values are kept outside the vault; also where nobody can be asked. */
export async function keepsSecrets(
  fields: readonly string[],
  { keepPlain = false, storeSecrets = false }: SecretOptions,
  { terminal, signal }: CommandContext,
): Promise<boolean> {
  const { stdin, stderr } = terminal;
  if (keepPlain) return false;
  if (fields.length === 0 || storeSecrets || !stdin.isTTY || !stderr.isTTY) return true;
  stderr.write('These look like secrets, and settings travel with the vault:\n');
  for (const field of fields) stderr.write(`  ${field}\n`);
  return confirmUnlessNo('Keep them as secrets, outside the vault?', terminal, signal);
}

/** The variables and headers that were typed, with references in place of what looks like a secret; secrets that are replaced keep their names. */
export async function keepTypedSecrets<Options extends SecretOptions & LaunchOptions>(
  server: string,
  options: Options,
  secrets: Pick<SecretStore, 'names' | 'set'>,
  context: CommandContext,
  replaced: ReadonlySet<string> = new Set(),
): Promise<Options> {
  const { env, header } = options;
  if (env === undefined && header === undefined) return options;
  const typed = newServer(
    {
      ...{ name: server, transport: 'stdio', deploymentType: 'local' },
      localConfig: { command: server, args: [], ...(env && { env }) },
      httpConfig: { url: '', ...(header && { headers: header }) },
    },
    server,
  );
  const names = await secrets.names();
  const taken = takeSecrets(
    typed,
    names.filter((name) => !replaced.has(name)),
  );
  const fields = taken.secrets.map(({ field }) => `${server} ${oneLine(field)}`);
  if (fields.length === 0 || !(await keepsSecrets(fields, options, context))) return options;
  for (const { field, name, value } of taken.secrets) {
    await secrets.set(name, value);
    context.terminal.stderr.write(
      `${oneLine(field)} is kept as the secret "${name}", outside the vault.\n`,
    );
  }
  const { localConfig, httpConfig } = taken.server;
  return {
    ...options,
    ...(env && { env: localConfig?.env }),
    ...(header && { header: httpConfig?.headers }),
  };
}

/** Secrets that only the variables and headers use which are typed anew: they get another value. */
export function replacedSecrets(
  before: ServerConfig,
  others: readonly ServerConfig[],
  { env = {}, header = {} }: LaunchOptions,
): ReadonlySet<string> {
  const without = <Config extends { readonly env?: Texts; readonly headers?: Texts }>(
    config: Config | undefined,
  ) => config && { ...config, env: omit(config.env, env), headers: omit(config.headers, header) };
  const stays = {
    ...before,
    localConfig: without(before.localConfig),
    dockerConfig: without(before.dockerConfig),
    httpConfig: without(before.httpConfig),
    sseConfig: without(before.sseConfig),
  };
  const used = new Set(namedReferences([stays, ...others]).secrets);
  return new Set(namedReferences(before).secrets.filter((name) => !used.has(name)));
}

type Texts = Readonly<Record<string, string>>;

function omit(values: Texts = {}, typed: Texts): Texts {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(typed, name)));
}
