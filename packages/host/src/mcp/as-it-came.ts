import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** Takes a result as it came: what a server says is narrowed where it is used, not by the SDK. */
export function asItCame<Result>(): StandardSchemaV1<unknown, Result> {
  return {
    '~standard': {
      version: 1,
      vendor: 'errand',
      validate: (value) => ({ value: value as Result }),
    },
  };
}
