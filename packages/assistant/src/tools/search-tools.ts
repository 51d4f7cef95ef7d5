import { rankTools } from '@errand/host';
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
  wanted: { readonly query: string; readonly server?: string },
): readonly NamedTool[] {
  const textsOf = ({ tool: { serverName, toolName, description } }: NamedTool) => {
    return { server: serverName, name: toolName, description };
  };
  return rankTools(tools, textsOf, { ...wanted, most: mostFound });
}
