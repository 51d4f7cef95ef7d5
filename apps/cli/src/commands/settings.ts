import {
  findSetting,
  listSettings,
  readSettingText,
  type SettingValue,
  saveSettings,
  settingText,
  withSetting,
} from '@errand/workspace/settings';
import { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { table } from '../table.ts';

/** `errand settings`: the values of this vault beside its servers and assistants. */
export function settingsCommand(context: CommandContext): Command {
  const { stdout } = context.terminal;
  const open = (options: CommonOptions) => openVault(options, context, personAt(context.terminal));
  const say = (options: CommonOptions, json: unknown, text: string) => {
    stdout.write(options.json ? `${JSON.stringify(json, undefined, 2)}\n` : text);
    context.end(exitCode.ok);
  };
  const change = async (vault: OpenVault, setting: SettingValue, value: unknown) => {
    const saved = await saveSettings(vault, withSetting(setting.key, value), context.signal);
    return findSetting(saved, setting.key);
  };

  const get = new Command('get')
    .description('Print the value of a setting.')
    .argument('<key>')
    .action(async (key: string, options: CommonOptions) => {
      await using vault = await open(options);
      const setting = findSetting(vault.host.servers.settings, key);
      say(options, setting, `${settingText(setting.value)}\n`);
    });

  const set = new Command('set')
    .description('Change a setting.')
    .argument('<key>')
    .argument('<value>', 'a number, true or false, a word, or words with commas')
    .action(async (key: string, text: string, options: CommonOptions) => {
      await using vault = await open(options);
      const setting = findSetting(vault.host.servers.settings, key);
      const changed = await change(vault, setting, readSettingText(setting, text));
      say(options, changed, `${key} is ${settingText(changed.value)}.\n`);
    });

  const unset = new Command('unset')
    .description('Put a setting back to its default.')
    .argument('<key>')
    .action(async (key: string, options: CommonOptions) => {
      await using vault = await open(options);
      const setting = findSetting(vault.host.servers.settings, key);
      const changed = await change(vault, setting, undefined);
      say(options, changed, `${key} is ${settingText(changed.value)}, the default.\n`);
    });

  const command = withCommonOptions(
    new Command('settings').description('Show the settings of this vault, and change them.'),
  )
    .addHelpText(
      'after',
      `
Servers and assistants have commands of their own: errand servers, errand assistants.

Examples:
  errand settings
  errand settings get mcpGlobalTimeout
  errand settings set mcpSessionLimit 50
  errand settings unset mcpSessionLimit`,
    )
    .action(async (options: CommonOptions) => {
      await using vault = await open(options);
      const all = listSettings(vault.host.servers.settings);
      const rows = all.map(({ key, value, default: usual }) => {
        const text = settingText(value);
        return [key, text === '' ? '-' : text, text === settingText(usual) ? '' : 'changed'];
      });
      const file = vault.settings.name;
      say(options, { file, settings: all }, `${file}\n${table(rows)}`);
    });
  for (const each of [get, set, unset]) command.addCommand(withCommonOptions(each));
  return passOptionsOn(command);
}
