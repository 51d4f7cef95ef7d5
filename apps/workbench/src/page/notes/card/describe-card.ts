import type { RunningBlock } from '@errand/workspace/runs';
import type { Tone } from '../../parts/badge.tsx';
import type { Card } from '../model/block-cards.ts';

export interface CardState {
  readonly words: string;
  readonly tone: Tone;
  readonly isLive: boolean;
  /** What the words mean, where they may not be plain. */
  readonly hint?: string;
}

/** The state of a block in a word or two. */
export function describeCard({ block, run, end }: Card): CardState {
  if (run !== null) return describeRun(run);
  if (block.state !== 'invalid' && block.problem !== null) return state('Not allowed here', 'warn');
  if (end !== null && !end.written) {
    if (end.status === 'cancelled') return state('Stopped', 'neutral', 'Nothing was written.');
    if (end.status === 'timeout') return state('Took too long', 'bad');
    if (end.status === 'refused' && block.state !== 'edited') return state('Did not run', 'bad');
    if (end.status === 'error') return state('Failed', 'bad');
  }
  switch (block.state) {
    case 'new':
      return state('Never run', 'neutral');
    case 'fresh':
      return state('Up to date', 'good', 'The answer below belongs to this request.');
    case 'stale':
      return state('Out of date', 'warn', 'The request was changed since this answer came.');
    case 'edited':
      return state('Edited by hand', 'accent', 'Somebody changed the answer in the note.');
    case 'failed':
      return state('Failed', 'bad');
    case 'invalid':
      return state('Cannot run', 'bad');
  }
}

function describeRun({ status, waitingFor }: RunningBlock): CardState {
  if (status === 'executing') return { words: 'Running', tone: 'accent', isLive: true };
  return { words: waits[waitingFor ?? 'turn'], tone: 'accent', isLive: true };
}

const waits = {
  server: 'Waiting for its server',
  approval: 'Waiting for your yes',
  turn: 'Waiting for its turn',
} as const;

function state(words: string, tone: Tone, hint?: string): CardState {
  return { words, tone, isLive: false, ...(hint !== undefined && { hint }) };
}
