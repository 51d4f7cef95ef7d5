import { isRecord } from '@errand/wire';
import type { JSONRPCMessage, StandardSchemaV1 } from '@modelcontextprotocol/client';

const original = Symbol('the result as it came');

/** A result that passes the SDK's schemas of every method we use. */
const placeholderResult = {
  resultType: 'complete',
  content: [],
  tools: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  prompts: [],
  messages: [],
  completion: { values: [] },
  ttlMs: 0,
  cacheScope: 'private',
};

/**
 * Wraps a result so that the SDK does not validate it: it would reject a whole list for one broken tool, and a
 * whole result for one part of an unknown kind. Results are narrowed where they are used.
 */
export function wrapRawResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const result = isRecord(message.result) ? message.result : {};
  // The SDK handles the handshake and `input_required` itself.
  if ('capabilities' in result || result.resultType === 'input_required') return message;
  return { ...message, result: { ...placeholderResult, [original]: result } };
}

/** The schema with which a request resolves with the server's raw result. */
export function rawResultSchema<Result>(): StandardSchemaV1<unknown, Result> {
  return {
    '~standard': {
      version: 1,
      vendor: 'errand',
      validate: (value) => ({ value: unwrap(value) as Result }),
    },
  };
}

function unwrap(value: unknown): unknown {
  const carried = (value as { readonly [original]?: Record<string, unknown> })[original];
  if (carried === undefined) return value;
  const { resultType: _, ...result } = carried;
  return result;
}
