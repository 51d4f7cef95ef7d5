import {
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { callTool } from './call-tool.ts';
import type { ClientSession } from './client-session.ts';
import type { ServerDefinition, ServerParts } from './define-server.ts';
import type { ToolContext, ToolDefinition } from './define-tool.ts';
import type { Logger } from './logger.ts';

/** Makes the SDK's server for one client from a definition and its started parts. */
export function buildSdkServer(
  definition: ServerDefinition,
  parts: ServerParts,
  session: ClientSession,
  log: Logger,
): McpServer {
  const { name, version, title, instructions } = definition;
  const server = new McpServer(
    { name, version, ...(title !== undefined && { title }) },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  );
  for (const tool of parts.tools ?? []) register(server, tool, session, log);
  parts.extend?.(server);
  return server;
}

function register(server: McpServer, tool: ToolDefinition, session: ClientSession, log: Logger) {
  const { name, title, description, annotations, metadata, input, output } = tool;
  server.registerTool(
    name,
    {
      description,
      inputSchema: describedBy(input),
      ...(title !== undefined && { title }),
      ...(annotations !== undefined && { annotations }),
      ...(metadata !== undefined && { _meta: { ...metadata } }),
      ...(output !== undefined && { outputSchema: describedBy(output) }),
    },
    (given, context) => callTool(tool, given, toolContext(context, session, log)),
  );
}

/** The schema as the SDK lists it; checking is `callTool`'s, whose messages name what to mend. */
function describedBy(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const { jsonSchema } = schema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'errand',
      jsonSchema,
      validate: (value) => ({ value }),
    },
  };
}

function toolContext(context: ServerContext, session: ClientSession, log: Logger): ToolContext {
  const { signal, _meta: meta } = context.mcpReq;
  const progressToken = meta?.progressToken;
  return {
    signal,
    session,
    log,
    progress(progress, total, message) {
      if (progressToken === undefined || signal.aborted) return;
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      context.mcpReq
        .notify({ method: 'notifications/progress', params })
        .catch((error: unknown) => log.debug({ err: error }, 'progress could not be sent'));
    },
  };
}
