import type * as z from 'zod';
import type { ClientSession } from './client-session.ts';
import type { Logger } from './logger.ts';

/** What a handler gets besides its input. */
export interface ToolContext {
  /** Aborted when the client cancels, disconnects, or the server stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly session: ClientSession;
  /** Tells the client how far the call is, if it asked to know. */
  progress(done: number, total?: number, message?: string): void;
}

/** Hints for whoever decides whether a call needs a question first. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

interface ToolFace {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: ToolAnnotations;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A tool with its types erased, as a server holds it. */
export interface ToolDefinition extends ToolFace {
  readonly input: z.ZodObject;
  readonly output?: z.ZodType;
  handler(input: unknown, context: ToolContext): unknown;
}

/** Declares a tool: unknown input keys are refused, the answer is checked against `output`. */
export function defineTool<I extends z.ZodObject, O extends z.ZodType = z.ZodType>(
  tool: ToolFace & {
    readonly input: I;
    readonly output?: O;
    handler(input: z.output<I>, context: ToolContext): Promise<z.input<O>> | z.input<O>;
  },
): ToolDefinition {
  if (!/^[A-Za-z0-9_]{1,64}$/.test(tool.name)) {
    throw new TypeError(
      `"${tool.name}" is no tool name. Use 1 to 64 letters, digits and underscores.`,
    );
  }
  const input = tool.input.strict();
  return {
    ...tool,
    input,
    handler: (given, context) => tool.handler(given as z.output<I>, context),
  };
}
