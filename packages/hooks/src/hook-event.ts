import type { Trigger, TriggerKind } from './hook-schema.ts';

/** The runs of hooks that led to an event. It travels with everything that a hook causes. */
export interface Chain {
  readonly id: string;
  /** How many runs, one after the other, led here. */
  readonly depth: number;
  /** The ids of the hooks that ran in it. */
  readonly hooks: readonly string[];
  /** Set when nothing but the time says that an event belongs to it. */
  readonly isAssumed?: true;
}

/** Something that happened. */
export interface HookEvent {
  /** The same for one happening however often it is seen, so that it counts once. */
  readonly id: string;
  readonly kind: TriggerKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * What is known of it: the common fields by name (`filePath`, `operation`, `branch` …), and what the kind brings
   * under its own name (`file`, `git`, `call`, `server`, `http`, `mail`, `schedule`). Triggers look at `agent`,
   * `operation`, `timing`; `file.event`, `file.path`; `git.event`, `git.branch`; `call.server` (the name),
   * `call.serverId`, `call.tool`, `call.status`, `call.source`; `server.event`; `mail.event`. Paths are those in
   * the vault, with `/`.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The one hook that it is for: of a schedule, an HTTP request, or a person. */
  readonly hookId?: string;
  readonly chain?: Chain;
}

/** Where events come from. */
export interface EventSource {
  /**
   * Begins to tell of events. `wanted` gives the triggers of all enabled and approved hooks, and is called again
   * after `refresh`; what no trigger wants is not watched.
   */
  start(ports: SourcePorts): Promise<RunningSource>;
}

export interface SourcePorts {
  readonly wanted: () => readonly WantedTrigger[];
  /**
   * Resolves when every run that the event begins is stored; a source may then forget the event. Rejects when one could
   * not be: told again, the event counts.
   */
  readonly emit: (event: HookEvent) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

export interface WantedTrigger {
  readonly hookId: string;
  readonly trigger: Trigger;
}

export interface RunningSource extends AsyncDisposable {
  /** The hooks have changed. */
  refresh(): void;
  /** When a hook runs next by the clock, in milliseconds since 1970. */
  nextRun?(hookId: string): number | undefined;
}
