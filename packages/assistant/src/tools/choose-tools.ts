import type { NamedTool } from './name-tools.ts';

/** The most tools, and characters of their JSON, that are sent with each request. */
export const toolBudget = { tools: 40, characters: 40_000 } as const;

/** What a model is offered in a round. */
export interface ToolChoice {
  readonly offered: readonly NamedTool[];
  /** Tools that it must search for. */
  readonly others: readonly NamedTool[];
}

interface ToolPreferences {
  /** Names of servers whose tools come first: the section's. */
  readonly preferred: ReadonlySet<string>;
  /** Names of tools that the model searched for, newest last. */
  readonly found: readonly string[];
}

/** All tools when they fit; else those that were found, then the section's, and the rest by search. */
export function chooseTools(tools: readonly NamedTool[], preferences: ToolPreferences): ToolChoice {
  if (fitting(tools).length === tools.length) return { offered: tools, others: [] };
  const byName = new Map(tools.map((named) => [named.name, named]));
  const found = preferences.found.toReversed().flatMap((name) => byName.get(name) ?? []);
  const section = tools.filter(({ tool }) => preferences.preferred.has(tool.serverName));
  const offered = new Set(fitting([...new Set([...found, ...section])]));
  return {
    offered: tools.filter((named) => offered.has(named)),
    others: tools.filter((named) => !offered.has(named)),
  };
}

function fitting(tools: readonly NamedTool[]): readonly NamedTool[] {
  let characters = 0;
  return tools.slice(0, toolBudget.tools).filter((named) => {
    const size = sizeOf(named);
    const fits = characters + size <= toolBudget.characters;
    if (fits) characters += size;
    return fits;
  });
}

function sizeOf({ name, tool }: NamedTool): number {
  return name.length + tool.description.length + JSON.stringify(tool.inputSchema).length;
}
