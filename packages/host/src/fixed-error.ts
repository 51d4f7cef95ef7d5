import { adviceForCode } from './advice.ts';
import {
  HostError,
  type HostErrorCode,
  type HostErrorFacts,
  type HostErrorOptions,
} from './host-error.ts';

/** The headlines that people know word by word (R8), each made from the facts of its failure. */
const headlines = {
  port_in_use: ({ port }) => `Port ${port} is already in use`,
  server_disabled: ({ server }) => `Server ${server} is disabled`,
  session_limit: ({ limit }) => `Session execution limit reached (${limit})`,
  stopped: () => 'Execution stopped by user',
  timeout: ({ timeoutMs }) => `Execution timeout after ${timeoutMs} ms`,
  tool_not_found: ({ tool }) => `Tool not found: ${tool}`,
} as const satisfies Partial<Record<HostErrorCode, (facts: HostErrorFacts) => string>>;

/** A failure whose message is the fixed headline of its code, followed by the detail of its facts. */
export function fixedError(
  code: keyof typeof headlines,
  facts: HostErrorFacts = {},
  options: HostErrorOptions = {},
): HostError {
  const headline = headlines[code](facts);
  const message = facts.detail === undefined ? headline : `${headline}. ${facts.detail}`;
  const advice = adviceForCode(code, facts);
  return new HostError(code, message, { ...facts, headline }, { advice, ...options });
}
