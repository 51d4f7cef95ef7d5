import { HostError, type SecretScope } from '@errand/host';
import { findVaultFolder } from '@errand/machine/node';
import { Command } from 'commander';
import { askSecret } from '../ask.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { openSecretScopes, openSecrets, openVaultSecrets } from '../open-secrets.ts';
import { vaultFolder } from '../open-vault.ts';
import { table } from '../table.ts';

interface SetOptions extends CommonOptions {
  readonly allVaults?: boolean;
}

/** `errand secrets`: what settings name as `${secret:NAME}`. */
export function secretsCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
  const { stdout } = terminal;
  const secrets = openSecrets();

  const set = new Command('set')
    .description('Store a secret, from a prompt or from what is piped in.')
    .argument('<name>')
    .option('--all-vaults', 'offer it to every vault; without it, another vault that names it asks')
    .action(async (name: string, options: SetOptions) => {
      if (!/^[\w.-]{1,100}$/.test(name)) {
        throw new HostError(
          'settings_invalid',
          'A secret\'s name has only letters, digits, ".", "-" and "_". Nothing is stored.',
        );
      }
      const value = await askSecret(`Value of ${name} (not shown): `, terminal, signal);
      if (value === '')
        throw new HostError('secret_missing', 'No value given; nothing was stored.');
      const scope = await store(name, value, options, context);
      const use = `\${secret:${name}}`;
      stdout.write(
        options.json
          ? `${JSON.stringify({ set: name, vaults: scope })}\n`
          : `Stored for ${scopeText(scope)}. Use it in settings as ${use}\n`,
      );
      context.end(exitCode.ok);
    });

  const list = new Command('list')
    .description('Show the names of the stored secrets and their vaults, never their values.')
    .action(async (options: CommonOptions) => {
      const names = await secrets.names();
      const scopes = await openSecretScopes().load();
      const vaults = names.map((name) => [name, scopes.get(name) ?? null] as const);
      if (options.json) {
        const json = { secrets: names, vaults: Object.fromEntries(vaults) };
        stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      } else if (names.length === 0) stdout.write('No secrets.\n');
      else stdout.write(table(vaults.map(([name, scope]) => [name, `for ${scopeText(scope)}`])));
      context.end(exitCode.ok);
    });

  const remove = new Command('remove')
    .description('Forget a secret.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      if (!(await secrets.names()).includes(name)) {
        throw new HostError(
          'secret_missing',
          `There is no secret "${name}". See them with: errand secrets list`,
        );
      }
      await secrets.set(name, undefined);
      await openSecretScopes().save(name, () => undefined);
      stdout.write(options.json ? `${JSON.stringify({ removed: name })}\n` : `Removed ${name}.\n`);
      context.end(exitCode.ok);
    });

  const command = new Command('secrets')
    .description(
      "Keep passwords and tokens out of the vault: in the system's keychain, or a file only you can read.",
    )
    .addHelpText(
      'after',
      '\nExamples:\n  errand secrets set crm\n  pass show crm | errand secrets set crm\n  errand secrets list',
    );
  for (const each of [set, list, remove]) command.addCommand(withCommonOptions(each));
  return command;
}

/** Stores a secret for the vault that the command works in; for none where there is no vault. */
async function store(
  name: string,
  value: string,
  options: SetOptions,
  { terminal: { cwd } }: CommandContext,
): Promise<SecretScope> {
  const scopes = openSecretScopes();
  const isVault = options.vault !== undefined || (await findVaultFolder(cwd)).foundBy !== 'here';
  const folder = isVault ? await vaultFolder(options, cwd, cwd) : undefined;
  const secrets = folder === undefined ? openSecrets() : await openVaultSecrets(folder);
  await secrets.set(name, value);
  if (options.allVaults) await scopes.save(name, () => 'all');
  else if (folder === undefined) await scopes.save(name, (now) => now ?? []);
  return (await scopes.load()).get(name) ?? [];
}

function scopeText(scope: SecretScope | null): string {
  if (scope === 'all') return 'all vaults';
  if (scope === null || scope.length === 0) return 'no vault yet: each that names it asks once';
  return scope.join(', ');
}
