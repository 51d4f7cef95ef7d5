import type { MCPServer, MCPTool } from '@errand/hooks';

/** A row of the tree of servers and tools. */
export type ToolRow =
  | { readonly kind: 'server'; readonly server: MCPServer; readonly isOpen: boolean }
  | { readonly kind: 'tool'; readonly server: MCPServer; readonly tool: MCPTool };

/** The rows that are shown, and how many more there are. */
export interface ToolRows {
  readonly rows: readonly ToolRow[];
  readonly left: number;
}

const mostRows = 200;

/** The servers with the tools that match a search; without one, only those of open servers. */
export function toolRows(
  servers: readonly MCPServer[],
  search: string,
  open: ReadonlySet<string>,
): ToolRows {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = servers.flatMap((server): readonly ToolRow[] => {
    const tools = server.tools.filter((tool) => isFound(words, server, tool));
    const isSearched = words.length > 0;
    if (isSearched && tools.length === 0) return [];
    const isOpen = isSearched || open.has(server.id);
    const inside = isOpen ? tools.map((tool) => ({ kind: 'tool', server, tool }) as const) : [];
    return [{ kind: 'server', server, isOpen }, ...inside];
  });
  return { rows: rows.slice(0, mostRows), left: Math.max(0, rows.length - mostRows) };
}

function isFound(words: readonly string[], server: MCPServer, tool: MCPTool): boolean {
  const text = `${server.name} ${tool.name} ${tool.displayName} ${tool.description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The effect of a key in the tree: move to a row, fold a server, or choose a tool. */
export type ToolMove =
  | { readonly to: number }
  | { readonly fold: string }
  | { readonly choose: Extract<ToolRow, { kind: 'tool' }> };

/** Implements the ARIA tree keyboard pattern; undefined for other keys. */
export function moveInTools(
  key: string,
  rows: readonly ToolRow[],
  at: number,
): ToolMove | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  const go = (to: number) => ({ to: Math.max(0, Math.min(rows.length - 1, to)) });
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (row.kind === 'tool') return undefined;
      return row.isOpen ? go(at + 1) : { fold: row.server.id };
    case 'ArrowLeft':
      if (row.kind === 'server') return row.isOpen ? { fold: row.server.id } : undefined;
      return go(rows.findLastIndex(({ kind }, index) => kind === 'server' && index < at));
    case 'Enter':
    case ' ':
      return row.kind === 'tool' ? { choose: row } : { fold: row.server.id };
    default:
      return undefined;
  }
}
