import type { ToolForModel } from '../turn/ask-model.ts';
import type { DataFence } from '../turn/data-fence.ts';
import { fenceSchema } from './fence-schema.ts';
import type { NamedTool } from './name-tools.ts';
import { describeSearch, searchToolName, searchToolSchema } from './search-tools.ts';

/** The most tools, and characters of their JSON, that are sent with each request. */
export const toolBudget = { tools: 40, characters: 40_000 } as const;

/** What a model is offered in a round. */
interface ToolChoice {
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

/** Describes the tools of a round to a model, with the servers' own text fenced. */
export function toolsForModel(
  { offered, others }: ToolChoice,
  fence: DataFence,
): readonly ToolForModel[] {
  const tools = offered.map(({ name, tool: { toolName, description, inputSchema } }) => ({
    name,
    description: fence(description, toolName),
    inputSchema: fenceSchema(inputSchema, fence),
  }));
  if (others.length === 0) return tools;
  const description = describeSearch(others, fence);
  return [...tools, { name: searchToolName, description, inputSchema: searchToolSchema }];
}

/** Describes the tools that a search found. */
export function describeFound(found: readonly NamedTool[], fence: DataFence): string {
  if (found.length === 0) return 'No tool fits. Try other words.';
  const lines = found.map(({ name, tool }) => `${name}: ${tool.description}`);
  return fence(lines.join('\n'), 'tools found');
}
