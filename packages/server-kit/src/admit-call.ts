import type { CallToolResult } from '@modelcontextprotocol/server';
import type { SharedByClients } from './build-sdk-server.ts';
import { callTool, failedResult } from './call-tool.ts';
import type { ToolContext, ToolDefinition } from './define-tool.ts';
import { healthCheckName } from './health-check-tool.ts';
import { McpError } from './mcp-error.ts';

/** For how many seconds to stay away from a server that is short of memory. */
const retryAfter = 10;

/** Runs a call when its tool is offered and there is memory for it; otherwise says why not. */
export async function admitCall(
  shared: SharedByClients,
  tool: ToolDefinition,
  input: unknown,
  context: ToolContext,
): Promise<{ readonly result: CallToolResult; readonly failure?: McpError }> {
  const { answerBytes } = shared;
  // Somebody who wants to know what is wrong must get an answer.
  if (tool.name === healthCheckName) return await callTool(tool, input, context, answerBytes);
  const reason = await shared.whyNotOffered(tool, context.signal);
  if (reason !== undefined) {
    return failedResult(new McpError('not_found', reason, { reason: 'not_offered' }));
  }
  const admission = await shared.gate.enter(shared.answerSizes.expected(tool.name), context.signal);
  if (admission.kind === 'refused') {
    context.log.warn({ tool: tool.name, ...admission }, 'a call was refused for want of memory');
    return failedResult(shortOfMemory(admission.memoryUsage));
  }
  const called = await callTool(tool, input, context, answerBytes).catch((error: unknown) => {
    admission.ticket[Symbol.dispose]();
    throw error;
  });
  const [content] = called.result.content;
  if (content?.type === 'text') shared.answerSizes.learn(tool.name, content.text.length);
  // The answer is written after this returns.
  setImmediate(() => admission.ticket[Symbol.dispose]());
  return called;
}

function shortOfMemory(memoryUsage: number): McpError {
  return new McpError(
    'mcp_unavailable',
    'This server is short of memory and did not start the call. Try again later, with fewer calls at once, or raise MCP_MEMORY_LIMIT.',
    { reason: 'memory', memory_usage: memoryUsage, retry_after: retryAfter },
  );
}
