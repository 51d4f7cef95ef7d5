import type { ResultBlock } from '../results/result-block.ts';

interface Said {
  readonly code: string;
  readonly message: string;
}

/** Whether the error that stands in the note says the same, perhaps with more words. */
export function isSaidBelow(
  { code, message }: Said,
  result: Pick<ResultBlock, 'status' | 'code' | 'payload'> | null,
): boolean {
  const isError = result?.status === 'error' && result.code === code;
  return isError && result.payload.startsWith(message.replace(/\.$/, ''));
}
