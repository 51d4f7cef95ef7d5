import { duration } from '@errand/document/display';
import type { Tone } from '@errand/parts/controls';
import type { Turn, TurnCall, TurnEnd } from '../../contract.ts';

/** The tool that searches for tools when there are too many to list. */
const searchTool = 'find_tools';

/** `12 tools of vault, weather`, from names such as `vault__search`. */
export function describeTools(names: readonly string[]): string {
  const tools = names.filter((name) => name !== searchTool);
  if (tools.length === 0) return names.length === 0 ? 'no tools' : 'tools found by search';
  const servers = [...new Set(tools.map((name) => name.split('__', 1)[0] ?? ''))];
  const shown = servers.slice(0, 4).join(', ');
  const others = servers.length > 4 ? ` and ${servers.length - 4} more` : '';
  const search = tools.length < names.length ? ', and a search for the rest' : '';
  return `${count(tools.length, 'tool')} of ${shown}${others}${search}`;
}

/** Tokens, calls and duration of a turn. */
export function describeUsage(turn: Turn, { tokens, durationMs }: TurnEnd): string {
  const calls = turn.parts.filter(({ kind }) => kind === 'call').length;
  const parts = [
    tokens &&
      `${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out`,
    calls > 0 && count(calls, 'call'),
    durationMs !== null && duration(durationMs),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** How to proceed after an incomplete turn; undefined when it is complete. */
export function nextStep({ parts, end }: Turn): 'again' | 'continue' | undefined {
  if (end === null || ['answered', 'refused', 'repeated'].includes(end.state)) return undefined;
  const hasAnswer = parts.some(({ kind }) => kind === 'text' || kind === 'call');
  return hasAnswer ? 'continue' : 'again';
}

export interface CallDescription {
  readonly label: string;
  readonly tone: Tone;
  readonly isLive: boolean;
}

/** Label and tone for the status of a call. */
export function describeCall({ status }: TurnCall): CallDescription {
  return calls[status];
}

const calls: Readonly<Record<TurnCall['status'], CallDescription>> = {
  pending: { label: 'Queued', tone: 'accent', isLive: true },
  waiting: { label: 'Needs approval', tone: 'warn', isLive: true },
  executing: { label: 'Running', tone: 'accent', isLive: true },
  success: { label: 'Answered', tone: 'good', isLive: false },
  error: { label: 'Failed', tone: 'bad', isLive: false },
  timeout: { label: 'Timed out', tone: 'bad', isLive: false },
  cancelled: { label: 'Stopped', tone: 'neutral', isLive: false },
  denied: { label: 'Not allowed', tone: 'neutral', isLive: false },
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
