import type { Advice, CallOutcome, HostErrorCode, Progress, TokenCount } from '@errand/host';
import type { ModelFailureCode } from '../model/model-failure.ts';

/** What happens in a turn, in its order, for those who show it. */
export type ConversationEvent =
  /** The model is asked; `tools` are those it is offered. */
  | { readonly kind: 'round-started'; readonly round: number; readonly tools: readonly string[] }
  | { readonly kind: 'text-added'; readonly text: string }
  | {
      readonly kind: 'round-ended';
      readonly round: number;
      readonly durationMs: number;
      readonly tokens?: TokenCount;
    }
  | { readonly kind: 'call-asked'; readonly call: AskedCall }
  /** A person approved it. */
  | { readonly kind: 'call-approved'; readonly call: AskedCall }
  | { readonly kind: 'call-denied'; readonly call: AskedCall; readonly reason: string }
  | { readonly kind: 'call-started'; readonly call: AskedCall }
  | { readonly kind: 'call-progressed'; readonly call: AskedCall; readonly progress: Progress }
  | { readonly kind: 'call-ended'; readonly call: AskedCall; readonly outcome: CallOutcome }
  | {
      readonly kind: 'tools-searched';
      readonly query: string;
      readonly found: readonly string[];
    }
  /** Something a person should know that ends nothing. */
  | {
      readonly kind: 'notice-given';
      readonly message: string;
      readonly advice?: readonly Advice[];
    }
  | { readonly kind: 'turn-ended'; readonly end: TurnEnd };

/** A call that a model asked for. */
export interface AskedCall {
  readonly id: string;
  /** The server's name; null when no such tool is there. */
  readonly server: string | null;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly state:
    | 'answered'
    /** The answer reached the model's limit of words. */
    | 'length'
    /** The model, or its provider, does not want to answer. */
    | 'refused'
    /** As many rounds of tools as a turn may have are used up. */
    | 'rounds'
    /** The same call had the same answer again and again. */
    | 'repeated'
    | 'cancelled'
    | 'failed';
  /** The message to show; null on success. */
  readonly message: string | null;
  /** Why it failed. */
  readonly code?: ModelFailureCode | HostErrorCode;
  /** What to do about a failure. */
  readonly advice?: readonly Advice[];
  /** Everything the model said, in all rounds. */
  readonly text: string;
  readonly rounds: number;
  readonly calls: number;
  readonly tokens: TokenCount;
  readonly durationMs: number;
}
