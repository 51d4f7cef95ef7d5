import { HostError, type NewServer } from '@errand/host';
import { type Command, InvalidArgumentError } from 'commander';

/** The options that say which tools of a server there are. */
export interface ToolOptions {
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
}

/** What an edit takes away from these lists. */
export interface RemovedTools {
  readonly unsetAllowTool?: readonly string[];
  readonly unsetDenyTool?: readonly string[];
}

/** The names of both. */
export const toolOptions: readonly (keyof ToolOptions | keyof RemovedTools)[] = [
  'allowTool',
  'denyTool',
  'unsetAllowTool',
  'unsetDenyTool',
];

/** Adds the options that say which tools of a server there are. */
export function withToolOptions(command: Command): Command {
  return command
    .option('--allow-tool <name>', 'only this tool, such as read_*; may be given again', addName)
    .option(
      '--deny-tool <name>',
      'not this tool, whatever is allowed; may be given again',
      addName,
    );
}

/** Adds the options that take names from these lists. */
export function withRemovedTools(command: Command): Command {
  return command
    .option(
      '--unset-allow-tool <name>',
      'remove an allowed tool; without any, all are allowed; may be given again',
      addName,
    )
    .option('--unset-deny-tool <name>', 'remove a denied tool; may be given again', addName);
}

/** An entry with these tools allowed and denied; throws `settings_invalid` for a removed one that is not there. */
export function changeTools<Entry extends NewServer>(
  entry: Entry,
  { allowTool, denyTool, unsetAllowTool, unsetDenyTool }: ToolOptions & RemovedTools,
): Entry {
  const { tools: before = {}, ...rest } = entry;
  const allow = changed('allowed', before.allow, allowTool, unsetAllowTool);
  const deny = changed('denied', before.deny, denyTool, unsetDenyTool);
  const tools = { ...(allow && { allow }), ...(deny && { deny }) };
  const isLimited = allow !== undefined || deny !== undefined;
  return { ...rest, ...(isLimited && { tools }) } as Entry;

  /** Undefined when nothing is left: an empty `allow` would forbid all tools. */
  function changed(
    what: string,
    names: readonly string[] | undefined,
    added: readonly string[] = [],
    removed: readonly string[] = [],
  ): readonly string[] | undefined {
    const missing = removed.find((name) => !names?.includes(name));
    if (missing !== undefined) {
      const others = names?.length ? `It has: ${names.join(', ')}.` : 'It has none.';
      throw new HostError(
        'settings_invalid',
        `"${entry.name}" has no ${what} tool "${missing}". ${others}`,
      );
    }
    if (added.length + removed.length === 0) return names;
    const kept = names?.filter((name) => !removed.includes(name)) ?? [];
    const all = [...new Set([...kept, ...added])];
    return all.length === 0 ? undefined : all;
  }
}

function addName(typed: string, before: readonly string[] = []): readonly string[] {
  if (typed.trim() === '') throw new InvalidArgumentError('Write the name of a tool.');
  return [...before, typed];
}
