import type { BlockProblem } from '../blocks/tool-block.ts';
import type { ResultBlock } from '../results/result-block.ts';

interface Said extends Pick<BlockProblem, 'message' | 'messageInBlock'> {
  readonly code: string;
}

/** Whether the error in the note is the same error. */
export function isSaidBelow(
  { code, message, messageInBlock = message }: Said,
  result: Pick<ResultBlock, 'status' | 'code' | 'payload'> | null,
): boolean {
  return result?.status === 'error' && result.code === code && result.payload === messageInBlock;
}
