import type { Advice } from '@errand/host';
import type { Chain, HookEvent } from './hook-event.ts';
import type { ActionOf, ActionType, Hook } from './hook-schema.ts';

export type RunStatus = 'success' | 'failure' | 'skipped' | 'timeout' | 'cancelled';

/** What became of one action. */
export interface ActionOutcome {
  readonly status: RunStatus;
  /** What later actions read as `actions[n].output`; JSON. */
  readonly output?: unknown;
  /** Where the whole output is, when it was too long to keep here; a path in the vault. */
  readonly outputFile?: string;
  /** Why it is not a success: a sentence that says what to do. */
  readonly message?: string;
  readonly code?: string;
  /** What to do about it, which each face puts into words. */
  readonly advice?: readonly Advice[];
  /** Whether trying again may help, and cannot act twice. */
  readonly isTransient?: boolean;
  /** The values that the parameters of a tool got; secrets are redacted by whoever writes them down. */
  readonly parameterResolutions?: Readonly<Record<string, unknown>>;
  readonly mcpServerStatus?: Readonly<Record<string, 'available' | 'unavailable' | 'unknown'>>;
}

/** What an action is given. */
export interface ActionContext {
  readonly hook: Hook;
  readonly event: HookEvent;
  /** With this run in it: everything that the action causes carries it. */
  readonly chain: Chain;
  /** The fields that templates and mappings read. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Aborts when the run is cancelled. The runner keeps the deadline itself, so that it can cancel what it started. */
  readonly signal: AbortSignal;
}

/** Carries out actions of one type. Never rejects: what goes wrong is an outcome. */
export interface ActionRunner<Type extends ActionType> {
  run(action: ActionOf<Type>, context: ActionContext): Promise<ActionOutcome>;
  /** What the action would do, without doing it. */
  preview(action: ActionOf<Type>, context: ActionContext): Promise<ActionPreview>;
  /** Whether an interrupted action may be run again after a crash. */
  isRepeatable(action: ActionOf<Type>): boolean;
  /** Whether the action can change a file of the vault; without it, any. */
  mayWrite?(action: ActionOf<Type>, path: string): boolean;
  /** Whether the action can change the repository of the vault; without it, it can. */
  mayChangeRepository?(action: ActionOf<Type>): boolean;
  /** Whether everything that an action started has ended when it has. */
  readonly leavesNothing?: boolean;
}

export type ActionRunners = { readonly [Type in ActionType]: ActionRunner<Type> };

export interface ActionPreview {
  /** Resolved parameters, arguments or texts by name. */
  readonly resolved: Readonly<Record<string, unknown>>;
  /** Sentences; empty when it would run. */
  readonly problems: readonly string[];
}

/** One run of a hook, as the log has it. */
export interface HookRun {
  readonly id: string;
  readonly hookId: string;
  readonly hookName: string;
  readonly chain: Chain;
  readonly event: HookEvent;
  readonly status: RunStatus | 'running' | 'queued' | 'lost';
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The fields that its conditions and actions could use. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly actions: readonly (ActionOutcome & {
    readonly type: ActionType;
    readonly durationMs: number;
  })[];
  readonly message?: string;
}
