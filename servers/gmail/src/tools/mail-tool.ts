import { defineTool, type ToolContext, type ToolDefinition } from '@errand/server-kit';
import type * as z from 'zod';
import { toMcpError } from '../api/gmail-error.ts';
import type { GmailContext } from '../gmail-context.ts';

/** Declares a tool of the mailbox; `what` names in errors what the call asks for. */
export function mailTool<I extends z.ZodObject, O extends z.ZodType>(
  { failed }: Pick<GmailContext, 'failed'>,
  what: string,
  tool: Parameters<typeof defineTool<I, O>>[0],
): ToolDefinition {
  return defineTool<I, O>({
    ...tool,
    async handler(input, context: ToolContext) {
      try {
        return await tool.handler(input, context);
      } catch (error) {
        const known = toMcpError(error, what);
        failed(known);
        throw known;
      }
    },
  });
}
