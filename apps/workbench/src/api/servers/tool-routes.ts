import {
  blockTemplate,
  type ServerConfig,
  type ToolDescription,
  type ToolInvocationRequest,
} from '@errand/host';
import { Hono } from 'hono';
import { z } from 'zod';
import type { BlockText, CallAnswer, CallTool, Tool } from '../../contract.ts';
import { callContent } from '../calls/call-content.ts';
import { describeError } from '../http/answer-failure.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { blockText } from './block-text.ts';
import { findServer } from './find-server.ts';

/** The session that counts calls of tools that are tried in Servers. */
export const triedTools = 'workbench';

/** The tools of a server, and trying them. */
export function toolRoutes({ host }: WorkbenchPorts): Hono {
  const routes = new Hono();
  const find = (id: string) => findServer(host, id);
  routes.get('/:id/tools', async (context) => {
    const server = find(context.req.param('id'));
    const { signal } = context.req.raw;
    const tools = context.req.query('refresh')
      ? await host.servers.refreshTools(server.id, signal)
      : await host.servers.tools(server.id, signal);
    return context.json({ tools: tools.map((tool) => describeTool(server, tool)) });
  });
  routes.post('/:id/call', async (context) => {
    const server = find(context.req.param('id'));
    const wish = await readBody(context, callSchema);
    return context.json(await callTool(server, wish, context.req.raw.signal));
  });
  routes.post('/:id/block', async (context) => {
    const server = find(context.req.param('id'));
    const wish = await readBody(context, callSchema);
    const block: BlockText = { text: blockText(server.name, wish) };
    return context.json(block);
  });
  return routes;

  async function callTool(
    server: ServerConfig,
    { id = crypto.randomUUID(), tool, params }: CallTool,
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

const callSchema = z.strictObject({
  id: z.uuid().exactOptional(),
  tool: z.string().min(1, 'Name the tool.'),
  params: z.record(z.string(), z.unknown()),
}) satisfies z.ZodType<CallTool>;
