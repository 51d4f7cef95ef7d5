import type { ErrorInfo, Notice } from '@errand/host';
import { type AdviceRenderer, describeFailure, joinSentences } from './describe-failure.ts';

/**
 * What a person is told at once about a call that could not be made as it should, and what to do next; nothing
 * for failures that stand where the call was made.
 */
export function urgentFailure(error: ErrorInfo, renderer: AdviceRenderer): Notice | undefined {
  const level = urgentLevels[error.code];
  if (level === undefined) return undefined;
  const { headline, detail, steps } = describeFailure(error, renderer);
  const next = detail === undefined ? steps.join(' ') : joinSentences(detail, steps);
  return { level, message: headline, ...(next !== '' && { detail: next }) };
}

const urgentLevels: Readonly<Partial<Record<ErrorInfo['code'], Notice['level']>>> = {
  port_in_use: 'error',
  server_disabled: 'error',
  session_limit: 'error',
  stopped: 'warning',
  timeout: 'error',
  tool_not_found: 'error',
};
