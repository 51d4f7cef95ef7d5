import { isRecord } from '@errand/wire';
import type { JSONRPCMessage, StandardSchemaV1 } from '@modelcontextprotocol/client';

const original = Symbol('the result as it came');

/** A result that satisfies the SDK's schemas of every method we use. */
const placeholderResult = {
  resultType: 'complete',
  content: [],
  tools: [],
  ttlMs: 0,
  cacheScope: 'private',
};

/**
 * Carries a result past the SDK, which would refuse the whole list for one broken tool and the whole
 * answer for one part of an unknown kind. What a server says is narrowed where it is used.
 */
export function wrapRawResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const result = isRecord(message.result) ? message.result : {};
  // The handshake and the questions of the newer era are the SDK's business.
  if ('capabilities' in result || result.resultType === 'input_required') return message;
  return { ...message, result: { ...placeholderResult, [original]: result } };
}

/** The schema under which a request resolves with its result as it came. */
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
