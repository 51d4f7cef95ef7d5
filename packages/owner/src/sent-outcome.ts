import { type CallOutcome, type ToolDescription, typeResult } from '@errand/host';
import type { SentOutcome } from './protocol.ts';

/** An outcome as it is sent; what a result is typed to is made again at the other end. */
export function sentOutcome(outcome: CallOutcome): SentOutcome {
  const { result, ...rest } = outcome;
  if (result === undefined) return rest;
  const { raw, executionDuration } = result;
  return { ...rest, result: { raw, executionDuration } };
}

/** The outcome that was sent. */
export function receivedOutcome({ result, ...rest }: SentOutcome): CallOutcome {
  const typed = result && { result: typeResult(result.raw, result.executionDuration) };
  return { ...rest, ...typed } as CallOutcome;
}

/** Whether a call of this tool cannot act twice, as far as its server says (D4). */
export function isRepeatable(tool: Pick<ToolDescription, 'annotations'> | undefined): boolean {
  const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
  return readOnlyHint === true || idempotentHint === true;
}
