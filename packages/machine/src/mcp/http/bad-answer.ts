import { adviceForCode, HostError } from '@errand/host';
import { jsonExcess } from '@errand/wire';
import { excessOf } from '../message-limit.ts';

/** The head of an answer. */
interface AnswerHead {
  readonly server: string;
  readonly type: string | undefined;
  readonly status: number;
}

const shownCharacters = 300;

/** Why the body of a request's answer does not answer it. */
export function noAnswerIn(text: string, head: AnswerHead): HostError {
  const { server } = head;
  const excess = excessOf(server, text);
  if (excess !== undefined) return excess;
  const complaint = complaintIn(text);
  if (complaint !== undefined) {
    return new HostError('tool_failed', `Server "${server}" refused the request: ${complaint}`, {
      server,
    });
  }
  const advice = adviceForCode('server_unavailable', { server });
  const what = whatCame(text, head);
  return new HostError('server_unavailable', `Server "${server}" ${what}`, { server }, { advice });
}

function whatCame(text: string, { type = 'something else', status }: AnswerHead): string {
  if (text.trim() === '') return `answered the request with HTTP ${status} and nothing else.`;
  return type === 'application/json'
    ? 'answered with JSON that does not answer the request.'
    : `answered with ${type} instead of MCP. Check its "url" and "transport" in the settings.`;
}

/** The failure of a call whose answer broke off. */
export function cutOff(server: string, reason: unknown): HostError {
  if (reason instanceof HostError && reason.code !== 'server_unavailable') return reason;
  return new HostError(
    'server_unavailable',
    `The connection to server "${server}" was cut before the whole answer came. It is not known whether the request took effect.`,
    { server },
    { cause: reason },
  );
}

/** What a server says is wrong, in an error that does not name the request it belongs to. */
export function complaintIn(text: string): string | undefined {
  if (jsonExcess(text) !== undefined) return undefined;
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const complaint = typeof error === 'object' ? error?.message : error;
    const isText = typeof complaint === 'string' && complaint.trim() !== '';
    return isText ? complaint.slice(0, shownCharacters) : undefined;
  } catch {
    return undefined;
  }
}
