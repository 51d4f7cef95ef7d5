import type { HookFault, uncheckedTools } from '../definitions/check-hook.ts';
import type { DryRun, HookExplanation } from '../definitions/explain.ts';
import type { MCPServer } from '../definitions/mcp-contract.ts';
import type { HookProblem } from '../definitions/parse-hooks.ts';
import type { Chain, HookEvent } from '../hook-event.ts';
import type { ActionPreview, HookRun } from '../hook-run.ts';
import type { ActionType, Hook } from '../hook-schema.ts';
import type { AgentMessage, AgentVerdict } from './answer-agent.ts';
import type { HookApproval, HookRecord } from './engine-ports.ts';
import type { HookMistakes, HookOptions, HookPreview } from './hook-editing.ts';

/** A hook with all that is known of it. */
export interface HookView extends Omit<HookRecord, 'startedAt'> {
  readonly hook: Hook;
  readonly verdict: ReturnType<HookApproval['verdict']>;
  /** Why it would not do what it says. */
  readonly faults: readonly HookFault[];
  /** When it runs next by the clock. */
  readonly nextRun?: number;
  /** Runs that wait or work. */
  readonly active: number;
  /** A digest of all that decides what it does; it goes with a change or an approval of what was shown. */
  readonly seen: string;
  /** The servers that its actions call, as far as they are registered. */
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  /** Tools that it calls and that may not exist, because their server has not listed its tools yet. */
  readonly unchecked?: ReturnType<typeof uncheckedTools>;
}

/** What a hook would do on an event. */
export interface HookTest extends DryRun {
  readonly event: HookEvent;
  /** Where the event is from. */
  readonly origin: 'given' | 'recorded' | 'example';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly verdict: HookView['verdict'];
  readonly actions: readonly (ActionPreview & { readonly type: ActionType })[];
}

/** Why a hook did not run. */
export interface HookReasons extends HookExplanation {
  readonly verdict: HookView['verdict'];
  readonly pausedAt?: number;
  readonly faults: readonly HookFault[];
  /** Events that it would have run for, and why it did not, the newest first. */
  readonly skipped: readonly { readonly at: number; readonly message: string }[];
}

/** What can be asked of the hooks of a vault: parameters and answers. */
export interface HooksMethods {
  list: {
    params: object;
    result: { hooks: readonly HookView[]; problems: readonly HookProblem[] };
  };
  reload: { params: object; result: object };
  /** With a chain it is a program of a hook that asks, and loops end. */
  run: { params: { hook: string; fields?: object; chain?: Chain }; result: { run: HookRun } };
  rerun: { params: { run: string }; result: { run: HookRun } };
  /** Answers when the run has ended. */
  wait: { params: { run: string }; result: { run: HookRun } };
  cancel: { params: { run: string }; result: { isCancelled: boolean } };
  runs: { params: { hook?: string; limit?: number }; result: { runs: readonly HookRun[] } };
  'show-run': { params: { run: string }; result: { run: HookRun } };
  emit: { params: { event: HookEvent }; result: { eventId: string; runs: readonly string[] } };
  /** An agent tells of an operation; answers when the hooks that it has to wait for have ended. */
  bridge: { params: AgentMessage; result: AgentVerdict };
  test: { params: { hook: string; event?: HookEvent }; result: HookTest };
  why: { params: { hook: string }; result: HookReasons };
  'set-enabled': { params: { hook: string; enabled: boolean }; result: HookView };
  options: { params: object; result: HookOptions };
  discover: { params: { refresh?: boolean }; result: { servers: readonly MCPServer[] } };
  preview: { params: { draft: object }; result: HookPreview };
  save: {
    params: { hook: object; seen?: string };
    result: { view: HookView } | { mistakes: HookMistakes };
  };
  remove: { params: { hook: string }; result: object };
  agree: { params: { hooks: readonly { hook: string; seen: string }[] }; result: object };
  /** Where a hook that waits for HTTP requests is reached; nothing before it was. */
  endpoint: { params: { hook: string }; result: { url?: string; token?: string } };
}
