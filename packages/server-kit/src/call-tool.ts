import { randomUUID } from 'node:crypto';
import { onAbort } from '@errand/wire';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { ToolContext, ToolDefinition } from './define-tool.ts';
import { McpError } from './mcp-error.ts';

/** Checks the input, runs the handler, checks the output; every failure becomes an error result. */
export async function callTool(
  tool: ToolDefinition,
  input: unknown,
  context: ToolContext,
  answerBytes: number,
): Promise<{ readonly result: CallToolResult; readonly failure?: McpError }> {
  try {
    const given = await tool.input.safeParseAsync(input ?? {});
    if (!given.success) throw invalidInput(tool, given.error);
    const output = await untilAborted(tool, given.data, context);
    return { result: answer(tool, await checkedOutput(tool, output), answerBytes) };
  } catch (error) {
    return failedResult(error instanceof McpError ? error : unexpected(error, tool, context));
  }
}

/** The result of a call that failed. */
export function failedResult(failure: McpError): {
  readonly result: CallToolResult;
  readonly failure: McpError;
} {
  const body = {
    error: failure.code,
    message: failure.message,
    details: failure.details ?? null,
  };
  const content = [{ type: 'text' as const, text: JSON.stringify(body) }];
  return { result: { content, isError: true }, failure };
}

/** How many mistakes of an input are listed. */
const mostIssues = 10;

function invalidInput(tool: ToolDefinition, error: z.ZodError): McpError {
  const named = error.issues.slice(0, mostIssues);
  const issues = named.map(({ path, message }) => ({
    path: path.join('.'),
    message: message.slice(0, 500),
  }));
  const unknownKeys = named
    .flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
    .slice(0, mostIssues);
  const sentences = issues.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  const known = Object.keys(tool.input.shape);
  const hint = unknownKeys.length === 0 ? '' : ` Known keys: ${known.join(', ') || 'none'}.`;
  return new McpError(
    'invalid_input',
    `The input does not fit ${tool.name}. ${sentences.join('; ')}.${hint}`,
    { issues, ...(unknownKeys.length > 0 && { unknown_keys: unknownKeys, known_keys: known }) },
  );
}

/** A handler that ignores its signal must not keep the call open after it was cancelled. */
async function untilAborted(
  tool: ToolDefinition,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const { signal } = context;
  const cancelled = () =>
    new McpError('mcp_unavailable', `${tool.name} was cancelled before it had finished.`);
  if (signal.aborted) throw cancelled();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _listening = onAbort(signal, () => reject(cancelled()));
  return await Promise.race([aborted, tool.handler(input, context)]);
}

async function checkedOutput(tool: ToolDefinition, output: unknown): Promise<unknown> {
  if (tool.output === undefined) return output;
  const checked = await tool.output.safeParseAsync(output);
  if (checked.success) return checked.data;
  throw new Error(`The answer of ${tool.name} does not fit its output schema`, {
    cause: checked.error,
  });
}

function answer(tool: ToolDefinition, output: unknown, answerBytes: number): CallToolResult {
  if (output === undefined) return { content: [] };
  const isStructured = tool.output !== undefined || typeof output !== 'string';
  const text = typeof output === 'string' && !isStructured ? output : JSON.stringify(output);
  const bytes = sentBytes(text, isStructured, answerBytes);
  if (bytes > answerBytes) {
    throw new McpError(
      'internal_error',
      `The answer of ${tool.name} has ${bytes} bytes; at most ${answerBytes} can be sent. Ask for a smaller part.`,
      { bytes, limit: answerBytes },
    );
  }
  return {
    content: [{ type: 'text', text }],
    ...(isStructured && { structuredContent: output as Record<string, unknown> }),
  };
}

/** The size of the answer on the wire, where its text is a string inside JSON. */
function sentBytes(text: string, isStructured: boolean, limit: number): number {
  // Escaping and UTF-8 make at most six bytes of a character: short texts need no second look.
  if (text.length * 6 < limit) return text.length;
  const plain = isStructured ? Buffer.byteLength(text) : 0;
  return plain + Buffer.byteLength(JSON.stringify(text));
}

function unexpected(error: unknown, tool: ToolDefinition, context: ToolContext): McpError {
  const id = randomUUID();
  context.log.error({ err: error, tool: tool.name, id }, 'a tool failed unexpectedly');
  return new McpError(
    'internal_error',
    `${tool.name} failed unexpectedly. The server's log has the reason under the id ${id}.`,
    { id },
  );
}
