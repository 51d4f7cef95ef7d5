import type { DataFence } from '../turn/data-fence.ts';
import type { NamedTool } from './name-tools.ts';

/** The name of the tool by which a model finds others; no tool of a server is called so, for want of `__`. */
export const searchToolName = 'find_tools';

export const searchToolSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words for what the tool should do.' },
    server: { type: 'string', description: 'Only tools of this server.' },
  },
  required: ['query'],
  additionalProperties: false,
} as const;

/** Says which servers there is something to find on. */
export function describeSearch(others: readonly NamedTool[], fence: DataFence): string {
  const servers = Map.groupBy(others, ({ tool }) => tool.serverName);
  const list = [...servers].map(([server, tools]) => `${server} (${tools.length})`).join(', ');
  return `Finds more tools; those it names can be called from the next step on. Servers and their numbers of tools:\n${fence(list)}`;
}

const mostFound = 10;

/** The tools that fit a search best. */
export function searchTools(
  tools: readonly NamedTool[],
  { query, server }: { readonly query: string; readonly server?: string },
): readonly NamedTool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return tools
    .filter(({ tool }) => server === undefined || isSame(tool.serverName, server))
    .map((named) => ({ named, score: scoreOf(named, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ named }) => named);
}

function scoreOf({ tool }: NamedTool, words: readonly string[]): number {
  const name = `${tool.serverName} ${tool.toolName}`.toLowerCase();
  const description = tool.description.toLowerCase();
  return words.reduce(
    (score, word) => score + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0),
    0,
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
