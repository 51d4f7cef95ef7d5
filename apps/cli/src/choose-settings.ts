import type { Notifier } from '@errand/host';
import type { SettingsFile } from '@errand/machine/node';
import { askLine } from './ask.ts';
import type { CommandContext, CommonOptions } from './command-context.ts';

/** Asks which file holds when a vault has two with settings; without a terminal it says which one does. */
export async function chooseSettings(
  settings: SettingsFile,
  { json }: Pick<CommonOptions, 'json'>,
  { terminal, signal }: CommandContext,
  notifier: Notifier,
): Promise<void> {
  const rival = settings.findRival();
  if (rival === undefined) return;
  const { name } = settings;
  const { stdin, stderr } = terminal;
  if (json || !stdin.isTTY || !stderr.isTTY) {
    notifier.notify({
      level: 'warning',
      message: `This vault has two settings files. ${name} is used; ${rival} is ignored.`,
      detail: 'Run a command in a terminal, or open the vault in Obsidian, to choose one of them.',
    });
    return;
  }
  stderr.write(`This vault has two settings files:\n  1  ${name}\n  2  ${rival}\n`);
  const question =
    'Which one should be used? The other is kept as a backup. [1/2, Enter asks again later] ';
  const answer = await askLine(question, terminal, signal, { mayBeTypedAhead: false });
  const chosen = { 1: name, 2: rival }[answer?.trim() ?? ''];
  if (chosen === undefined) {
    stderr.write(`${name} is used for now.\n`);
    return;
  }
  const backup = await settings.choose(chosen, signal);
  if (backup !== undefined) stderr.write(`${chosen} is used. The other is now ${backup}\n`);
}
