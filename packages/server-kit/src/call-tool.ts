import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { ToolContext, ToolDefinition } from './define-tool.ts';
import { McpError } from './mcp-error.ts';

/** Checks the input, runs the handler, checks the output; every failure becomes an error result. */
export async function callTool(
  tool: ToolDefinition,
  input: unknown,
  context: ToolContext,
): Promise<CallToolResult> {
  try {
    const given = tool.input.safeParse(input ?? {});
    if (!given.success) throw invalidInput(tool, given.error);
    return answer(checkedOutput(tool, await tool.handler(given.data, context)));
  } catch (error) {
    return failure(error, tool, context);
  }
}

function invalidInput(tool: ToolDefinition, error: z.ZodError): McpError {
  const issues = error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
  }));
  const unknownKeys = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  const sentences = issues.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return new McpError('invalid_input', `${tool.name}: ${sentences.join('; ')}`, {
    issues,
    ...(unknownKeys.length > 0 && {
      unknown_keys: unknownKeys,
      known_keys: Object.keys(tool.input.shape),
    }),
  });
}

function checkedOutput(tool: ToolDefinition, output: unknown): unknown {
  if (tool.output === undefined) return output;
  const checked = tool.output.safeParse(output);
  if (checked.success) return checked.data;
  throw new Error(`The answer of ${tool.name} does not fit its output schema`, {
    cause: checked.error,
  });
}

function answer(output: unknown): CallToolResult {
  if (typeof output === 'string') return { content: [{ type: 'text', text: output }] };
  const text = JSON.stringify(output) ?? 'null';
  return {
    content: [{ type: 'text', text }],
    ...(output !== undefined && { structuredContent: output as Record<string, unknown> }),
  };
}

function failure(error: unknown, tool: ToolDefinition, context: ToolContext): CallToolResult {
  const known = error instanceof McpError ? error : unexpected(error, tool, context);
  const body = { error: known.code, message: known.message, details: known.details ?? null };
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

function unexpected(error: unknown, tool: ToolDefinition, context: ToolContext): McpError {
  const id = randomUUID();
  context.log.error({ err: error, tool: tool.name, id }, 'a tool failed unexpectedly');
  return new McpError(
    'internal_error',
    `${tool.name} failed unexpectedly. The server log has the reason under id ${id}.`,
    { id },
  );
}
