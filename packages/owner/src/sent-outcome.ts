import {
  type CallOutcome,
  isRepeatableTool,
  type Servers,
  type ToolInvocationRequest,
  typeResult,
} from '@errand/host';
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

/** Whether a call cannot act twice, as far as its server says (D4). */
export function isRepeatable(
  { servers }: { readonly servers: Pick<Servers, 'find' | 'lastTools'> },
  { serverId, toolName }: Pick<ToolInvocationRequest, 'serverId' | 'toolName'>,
): boolean {
  // The server may have been removed during the call.
  const tools = servers.find(serverId) && servers.lastTools(serverId);
  return isRepeatableTool(tools?.get(toolName));
}
