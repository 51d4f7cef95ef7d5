import { HostError } from '@errand/host';
import { Command } from 'commander';
import { askSecret } from '../ask.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { openSecrets } from '../open-secrets.ts';

/** `errand secrets`: what settings name as `${secret:NAME}`. */
export function secretsCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
  const { stdout } = terminal;
  const secrets = openSecrets();

  const set = new Command('set')
    .description('Store a secret, from a prompt or from what is piped in.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      if (!/^[\w.-]{1,100}$/.test(name)) {
        throw new HostError(
          'settings_invalid',
          'A secret\'s name has only letters, digits, ".", "-" and "_". Nothing is stored.',
        );
      }
      const value = await askSecret(`Value of ${name} (not shown): `, terminal, signal);
      if (value === '')
        throw new HostError('secret_missing', 'Nothing was given; nothing is stored.');
      await secrets.set(name, value);
      const use = `\${secret:${name}}`;
      stdout.write(
        options.json
          ? `${JSON.stringify({ set: name })}\n`
          : `Stored. Use it in settings as ${use}\n`,
      );
      context.end(exitCode.ok);
    });

  const list = new Command('list')
    .description('Show the names of the stored secrets, never their values.')
    .action(async (options: CommonOptions) => {
      const names = await secrets.names();
      if (options.json) stdout.write(`${JSON.stringify({ secrets: names }, undefined, 2)}\n`);
      else stdout.write(names.length === 0 ? 'No secrets.\n' : `${names.join('\n')}\n`);
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
