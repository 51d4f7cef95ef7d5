import { HostError, rankTools } from '@errand/host';
import { isRecord, type JsonObject, type RpcRequest } from '@errand/wire';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import { type Implementation, metaKey } from './protocol.ts';
import { filterFor, type ScopeOf } from './scope.ts';
import { describe, type ToolCatalog } from './tool-catalog.ts';

interface SearchContext {
  readonly catalog: ToolCatalog;
  readonly info: Implementation;
  readonly scope: ScopeOf | undefined;
  /** Carries out a call of a server's tool. */
  call(request: RpcRequest, exchange: Exchange): Promise<Reply>;
}

const mostFound = 10;
/** Characters of a description that a search shows. */
const longestSummary = 200;

const name = { type: 'string', description: 'The name of a tool, as find_tools gives it.' };
const readOnly = { readOnlyHint: true, openWorldHint: false };

/** The tools that stand for all others; no tool of a server is called so, for want of `__`. */
export const searchTools: readonly JsonObject[] = [
  {
    name: 'find_tools',
    description: `Finds tools by what they should do: names and one line each, at most ${mostFound}. With an empty query it lists the servers.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words for what the tool should do.' },
        server: { type: 'string', description: 'Only tools of this server.' },
      },
      required: ['query'],
    },
    annotations: readOnly,
  },
  {
    name: 'describe_tool',
    description: 'Gives the whole description of a tool and the schema of its arguments.',
    inputSchema: { type: 'object', properties: { name }, required: ['name'] },
    annotations: readOnly,
  },
  {
    name: 'call_tool',
    description: 'Calls a tool. Look its arguments up with describe_tool first.',
    inputSchema: {
      type: 'object',
      properties: { name, arguments: { type: 'object', description: 'As its schema says.' } },
      required: ['name'],
    },
  },
];

const names = new Set(searchTools.map((tool) => tool.name));

/** Whether a call is of one of the three tools. */
export function isSearchCall({ params }: RpcRequest): boolean {
  return names.has(params.name);
}

/** Carries out a call of one of the three tools. */
export async function callSearchTool(
  context: SearchContext,
  request: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { params } = request;
  const given = isRecord(params.arguments) ? params.arguments : {};
  if (params.name === 'call_tool') {
    const { name: wanted, arguments: input } = given;
    if (names.has(wanted)) return invalidParams('"name" must be a tool that find_tools gives.');
    const passedOn = { ...params, name: wanted, arguments: input ?? {} };
    return context.call({ ...request, params: passedOn }, exchange);
  }
  const filter = await filterFor(exchange.query, context.scope);
  if (filter instanceof HostError) return invalidParams(filter.message);
  const offered = [...context.catalog.offered(filter)];
  const text = (said: string, isError = false): Reply => {
    const result = { content: [{ type: 'text', text: said }], ...(isError && { isError }) };
    return { resultText: JSON.stringify({ ...result, ...modernFields(exchange, context.info) }) };
  };
  if (params.name === 'find_tools') {
    const { query, server } = given;
    if (typeof query !== 'string') return text('"query" must be a text.', true);
    return text(find(offered, query, typeof server === 'string' ? server : undefined));
  }
  const found = offered.find(([each]) => each === given.name);
  if (found === undefined) return text(`There is no tool "${given.name}". Use find_tools.`, true);
  const { _meta, icons, ...described } = JSON.parse(describe(...found, exchange.era));
  return text(JSON.stringify(described));
}

type Offered = ReturnType<ToolCatalog['offered']> extends Iterable<infer One> ? One : never;

function find(offered: readonly Offered[], query: string, server: string | undefined): string {
  const found = rankTools(
    offered,
    ([, { server: on, tool }]) => ({
      server: on.name,
      name: `${tool.name} ${tool.title ?? ''}`,
      description: `${tool.description ?? ''} ${Object.keys(tool.inputSchema.properties ?? {}).join(' ')}`,
    }),
    { query, ...(server !== undefined && { server }), most: mostFound },
  );
  if (found.length > 0) return found.map(summarise).join('\n');
  const servers = Map.groupBy(offered, ([, { server: on }]) => on.name);
  const list = [...servers].map(([each, tools]) => `${each} (${tools.length})`).join(', ');
  const nothing = query.trim() === '' ? '' : 'No tool fits. Try other words. ';
  return `${nothing}Servers and their numbers of tools: ${list || 'none'}.`;
}

function summarise([each, { tool, state }]: Offered): string {
  const line = (tool.description ?? tool.title ?? '').replace(/\s+/g, ' ').trim();
  const short = line.length > longestSummary ? `${line.slice(0, longestSummary)}...` : line;
  return `${each}: ${short}${state === undefined ? '' : ` (${state})`}`;
}

function modernFields({ era }: Exchange, info: Implementation): JsonObject {
  if (era === 'legacy') return {};
  return { resultType: 'complete', _meta: { [metaKey.serverInfo]: info } };
}
