import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { ToolDefinition } from './define-tool.ts';
import { StartError } from './start-error.ts';

const maximum = 1_000;

/** A tool as a running server holds it. */
export interface RegisteredTool {
  readonly tool: ToolDefinition;
  readonly registrationTime: Date;
  readonly listedInput: StandardSchemaWithJSON;
  readonly listedOutput?: StandardSchemaWithJSON;
}

/** The tools of a server by name; a name given twice or too many tools are refused. */
export function toolTable(
  tools: readonly ToolDefinition[],
  now: number,
): ReadonlyMap<string, RegisteredTool> {
  if (tools.length > maximum) {
    throw new StartError(
      'invalid_definition',
      `The server has ${tools.length} tools; ${maximum} is the limit. Split it into several servers.`,
    );
  }
  const table = new Map<string, RegisteredTool>();
  for (const tool of tools) {
    if (table.has(tool.name)) {
      throw new StartError('invalid_definition', `Two tools are named "${tool.name}". Rename one.`);
    }
    table.set(tool.name, {
      tool,
      registrationTime: new Date(now),
      listedInput: listed(tool.input),
      ...(tool.output !== undefined && { listedOutput: listed(tool.output) }),
    });
  }
  return table;
}

/** A schema the SDK only lists: checking is `callTool`'s, whose messages name what to mend. */
function listed(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const { jsonSchema } = schema['~standard'];
  // Made once, when somebody first asks: a client that only calls never pays for it.
  const cache = new Map<string, Record<string, unknown>>();
  const once = (io: 'input' | 'output') => (options: Parameters<typeof jsonSchema.input>[0]) => {
    const made = cache.get(io) ?? jsonSchema[io](options);
    cache.set(io, made);
    return made;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'errand',
      validate: (value) => ({ value }),
      jsonSchema: { input: once('input'), output: once('output') },
    },
  };
}
