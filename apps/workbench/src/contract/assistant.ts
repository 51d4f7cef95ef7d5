import type { Advice, Progress } from '@errand/host';
import type { Failure } from './failure.ts';
import type { Time } from './time.ts';
import type { CallContent } from './tool.ts';

export interface AssistantState {
  /** As the settings list them; the first is asked when none is chosen. */
  readonly assistants: readonly Assistant[];
  /** The conversations since the program was started. */
  readonly conversations: readonly ConversationState[];
}

/** A language model that can be asked. */
export interface Assistant {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  /** Where it sends what is asked: a URL, or the provider's name. */
  readonly sendsTo: string;
  /** The reference to its API key. */
  readonly key: string | null;
  /** What a person agrees to: what it sends where, and with which key, line by line. */
  readonly does: readonly string[];
  /** It is not asked before a person on this machine has approved where it sends data (D17). */
  readonly verdict: 'trusted' | 'new' | 'changed';
  /** A digest of what was shown; to be sent with the approval. */
  readonly seen: string;
}

/** Where a conversation belongs: to no note, beside a note, or in a note. */
export interface ConversationLocation {
  readonly note: string | null;
  /** It is written into the note; otherwise it is forgotten when the program ends. */
  readonly isKept: boolean;
}

/** A conversation as other pages list it. */
export interface ConversationState extends ConversationLocation {
  readonly id: string;
  readonly isRunning: boolean;
  /** How many calls wait for approval. */
  readonly waiting: number;
}

export interface Conversation extends ConversationLocation {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** A question in the note that nobody has answered. */
  readonly openQuestion: string | null;
}

/** A question and its answer so far. */
export interface Turn extends TurnProgress {
  readonly id: string;
  readonly question: string;
  readonly assistant: string;
  /** null for one that was read from the note. */
  readonly model: string | null;
  readonly startedAt: Time | null;
  /** In order of arrival. */
  readonly parts: readonly TurnPart[];
}

export interface TurnProgress {
  /** How often the model was asked; 0 while its tools are made ready. */
  readonly round: number;
  /** The tools it was offered last, as `server__tool`. */
  readonly tools: readonly string[];
  /** null while it runs. */
  readonly end: TurnEnd | null;
}

export type TurnPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: TurnCall }
  | { readonly kind: 'search'; readonly query: string; readonly found: number }
  | { readonly kind: 'notice'; readonly message: string; readonly advice?: readonly Advice[] };

export interface TurnCall {
  readonly id: string;
  /** null when there is no such tool. */
  readonly server: string | null;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly status:
    | 'pending'
    /** A person is asked, see `approval`. */
    | 'waiting'
    | 'executing'
    | 'success'
    | 'error'
    | 'timeout'
    | 'cancelled'
    /** A person or the settings said no. */
    | 'denied';
  readonly approval: CallApproval | null;
  readonly startedAt: Time | null;
  readonly progress: Progress | null;
  readonly durationMs: number | null;
  /** A long one is cut; GET /calls/ID has more of it for a while. */
  readonly content: CallContent | null;
  readonly error: Failure | null;
}

export type ApprovalReason = 'writes' | 'always' | 'open-world' | 'hints-changed';

/** The approval that a call needs. */
export interface CallApproval {
  readonly description: string;
  readonly isDestructive: boolean;
  /** Why approval is needed. */
  readonly because: ApprovalReason;
  /** null until it is answered. */
  readonly isAllowed: boolean | null;
}

export interface TurnEnd {
  readonly state:
    | 'answered'
    | 'length'
    | 'refused'
    | 'rounds'
    | 'repeated'
    | 'cancelled'
    | 'failed';
  /** The message for the person; null when the turn succeeded. */
  readonly message: string | null;
  readonly code: string | null;
  readonly advice?: readonly Advice[];
  /** null for a turn that was read from the note. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly durationMs: number | null;
}

/** Events of a turn may be repeated, but never come out of order. */
export type TurnEvent =
  | {
      readonly kind: 'turn-started';
      readonly turn: Turn;
      /** The turn that is asked again by it. */
      readonly replaces: string | null;
    }
  | {
      readonly kind: 'turn-changed';
      readonly turn: string;
      readonly change: TurnProgress;
    }
  /** The part is new or was replaced. */
  | {
      readonly kind: 'part-changed';
      readonly turn: string;
      readonly index: number;
      readonly part: TurnPart;
    }
  /** The text of a part from an offset on; the part may be new. */
  | {
      readonly kind: 'text-added';
      readonly turn: string;
      readonly index: number;
      readonly at: number;
      readonly text: string;
    }
  | { readonly kind: 'conversation-cleared' };

export type ConversationEvent = TurnEvent & { readonly conversation: string };
