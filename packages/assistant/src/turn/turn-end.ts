import type { Advice, HostErrorCode, TokenCount } from '@errand/host';
import type { ModelFailureCode } from '../model/model-failure.ts';
import type { TurnEnd } from './conversation-event.ts';

/** Why a turn stops. */
export type Stop =
  | { readonly state: Exclude<TurnEnd['state'], 'failed'>; readonly message?: string }
  | {
      readonly state: 'failed';
      readonly failure: {
        readonly code: ModelFailureCode | HostErrorCode;
        readonly message: string;
        readonly advice?: readonly Advice[];
      };
    };

/** What was counted in a turn. */
export interface Tally {
  readonly text: string;
  readonly rounds: number;
  readonly calls: number;
  readonly tokens: TokenCount;
}

/** The end of a turn, with the sentence for it. */
export function endOf(stop: Stop, tally: Tally, durationMs: number): TurnEnd {
  if (stop.state === 'failed') {
    return { ...tally, durationMs, state: 'failed', ...stop.failure };
  }
  const isUnanswered = stop.state === 'cancelled' && tally.text === '' && tally.calls === 0;
  const message = stop.message ?? (isUnanswered ? unanswered : sentences[stop.state]);
  return { ...tally, durationMs, state: stop.state, message };
}

const sentences: Readonly<Record<Exclude<TurnEnd['state'], 'failed'>, string | null>> = {
  answered: null,
  length: 'The answer reached the length limit of the model. Ask it to continue.',
  refused: 'The model, or its provider, refused to answer. Rephrase the question.',
  rounds:
    'The model used tools in ten rounds, the most in one turn. Ask it to continue if something is missing.',
  repeated:
    'The model made the same call three times and got the same answer, so it was stopped. Rephrase the question.',
  cancelled: 'Stopped. The partial answer is kept.',
};

const unanswered = 'Stopped before an answer came.';

/** So many times the same call may have the same answer in a turn. */
const mostRepeats = 3;

/** Notices when a model goes in circles: the same call, with the same answer. */
export class RepeatedCalls {
  readonly #seen = new Map<string, number>();

  /** Whether this answer is the last one of its kind that is taken. */
  isTooMany(call: string, answer: string): boolean {
    const key = JSON.stringify([call, answer]);
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    return count >= mostRepeats;
  }
}
