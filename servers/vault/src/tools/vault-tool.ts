import { defineTool, McpError, type ToolContext, type ToolDefinition } from '@errand/server-kit';
import type * as z from 'zod';
import { fromSystem } from '../files/system-error.ts';
import { VaultError } from '../vault-error.ts';

/** Declares a tool of the vault: what the vault or the disk refuses reaches the caller as S4's error. */
export function vaultTool<I extends z.ZodObject, O extends z.ZodType>(
  tool: Parameters<typeof defineTool<I, O>>[0],
): ToolDefinition {
  return defineTool<I, O>({
    ...tool,
    async handler(input, context: ToolContext) {
      try {
        return await tool.handler(input, context);
      } catch (error) {
        const known = error instanceof VaultError ? error : fromSystem(error);
        if (known === undefined) throw error;
        throw new McpError(known.code, known.message, known.details, { cause: error });
      }
    },
  });
}
