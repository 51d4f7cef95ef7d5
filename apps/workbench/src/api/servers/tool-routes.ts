import { requestBlock } from '@errand/document';
import {
  blockTemplate,
  type ServerConfig,
  type ToolDescription,
  type ToolInvocationRequest,
} from '@errand/host';
import { findServerById } from '@errand/workspace/servers';
import { Hono } from 'hono';
import { z } from 'zod';
import type { CallAnswer, Tool } from '../../contract.ts';
import { callContent } from '../calls/call-content.ts';
import { answer } from '../http/answer.ts';
import { describeError } from '../http/answer-failure.ts';
import { validBody, validQuery } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

/** The session that counts the calls of tools tried on the Servers page. */
export const triedTools = 'workbench';

/** The routes of the tools of a server, and of calling them. */
export function toolRoutes({ host }: WorkbenchPorts) {
  const find = (id: string) => findServerById(host, id);
  return new Hono()
    .get('/:id/tools', validQuery(toolsSchema), async (context) => {
      const server = find(context.req.param('id'));
      const { signal } = context.req.raw;
      const tools = context.req.valid('query').refresh
        ? await host.servers.refreshTools(server.id, signal)
        : await host.servers.tools(server.id, signal);
      return answer(context, { tools: tools.map((tool) => describeTool(server, tool)) });
    })
    .post('/:id/call', validBody(callSchema), async (context) => {
      const server = find(context.req.param('id'));
      const call = context.req.valid('json');
      return answer(context, await callTool(server, call, context.req.raw.signal));
    })
    .post('/:id/block', validBody(callSchema), (context) => {
      const server = find(context.req.param('id'));
      const { tool, params } = context.req.valid('json');
      return answer(context, { text: requestBlock(server.name, tool, params) });
    });

  async function callTool(
    server: ServerConfig,
    { id = crypto.randomUUID(), tool, params }: z.output<typeof callSchema>,
    signal: AbortSignal,
  ): Promise<CallAnswer> {
    const request: ToolInvocationRequest = {
      id,
      serverId: server.id,
      toolName: tool,
      parameters: params,
      source: 'workbench',
      sessionId: triedTools,
    };
    const outcome = await host.execute(request, {
      signal,
      // Pages hear of progress through the host's events, which have it only when a caller asks.
      onProgress: () => {},
    });
    const { status, durationMs, attempts, result } = outcome;
    return {
      id,
      status,
      durationMs,
      attempts,
      content: result === undefined ? null : callContent(result),
      error: outcome.status === 'success' ? null : describeError(outcome.error),
    };
  }
}

function describeTool(server: ServerConfig, tool: ToolDescription): Tool {
  const { name, title, description = '', inputSchema, annotations = {}, broken } = tool;
  return {
    name,
    title: title ?? annotations.title ?? null,
    description,
    inputSchema,
    isReadOnly: annotations.readOnlyHint === true,
    isDestructive: annotations.destructiveHint === true,
    isIdempotent: annotations.idempotentHint === true,
    broken: broken ?? null,
    template: blockTemplate(server.name, tool),
  };
}

/** `refresh` asks the server itself instead of using what is known. */
const toolsSchema = z.object({ refresh: z.string().exactOptional() });
const callSchema = z.strictObject({
  /** Chosen by the caller, to find the call among the active ones. */
  id: z.uuid().exactOptional(),
  tool: z.string().min(1, 'Name the tool.'),
  params: z.record(z.string(), z.unknown()).readonly(),
});
