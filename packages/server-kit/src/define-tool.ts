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
interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What a tool says about itself. */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: ToolAnnotations;
  /** What the server wants to be known about it, such as its `toolset`; clients get it as `_meta`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A tool with its types erased, as a server holds it. */
export interface ToolDefinition extends ToolInfo {
  readonly input: z.ZodObject;
  readonly output?: z.ZodType;
  handler(input: unknown, context: ToolContext): unknown;
}

/** Declares a tool: unknown input keys are refused, the answer is checked against `output`. */
export function defineTool<I extends z.ZodObject, O extends z.ZodType = z.ZodType>(
  tool: ToolInfo & {
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
  const dropping = findDroppingObject(input);
  if (dropping !== undefined) {
    throw new TypeError(
      `The object at ${dropping} in the input of "${tool.name}" would drop unknown keys in silence. Declare it with z.strictObject.`,
    );
  }
  return {
    ...tool,
    input,
    handler: (given, context) => tool.handler(given as z.output<I>, context),
  };
}

/** The path of an object inside a schema that neither refuses nor keeps keys it does not know. */
function findDroppingObject(
  schema: z.core.$ZodType,
  path: readonly string[] = [],
): string | undefined {
  const definition = schema._zod.def as z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
  if (definition.type === 'object') {
    if (definition.catchall === undefined) return path.join('.');
    const shape = definition.shape as Readonly<Record<string, z.core.$ZodType>>;
    return firstDefined(Object.entries(shape), ([key, inner]) =>
      findDroppingObject(inner, [...path, key]),
    );
  }
  const inner = [definition.innerType, definition.element, definition.valueType, definition.in];
  const options = Array.isArray(definition.options) ? definition.options : [];
  return firstDefined([...inner, ...options], (part) =>
    part === undefined ? undefined : findDroppingObject(part as z.core.$ZodType, path),
  );
}

function firstDefined<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
