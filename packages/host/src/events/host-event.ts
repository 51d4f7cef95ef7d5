import type { ContentChange, Progress } from '../connection.ts';
import type { HostError } from '../host-error.ts';
import type { ServerSnapshot } from '../registry/server-snapshot.ts';
import type { CallOutcome, ToolInvocationRequest } from '../tool-invocation.ts';
import type { Listeners } from './listeners.ts';

/** An event of a host, for faces that show it. */
export type HostEvent =
  /** The state of this server changed. */
  | { readonly kind: 'server-changed'; readonly snapshot: ServerSnapshot }
  | { readonly kind: 'server-connected'; readonly serverId: string }
  | { readonly kind: 'server-lost'; readonly serverId: string }
  | { readonly kind: 'tools-changed'; readonly serverId: string }
  /** The resources or prompts of this server changed. */
  | {
      readonly kind: 'content-changed';
      readonly serverId: string;
      readonly change: ContentChange;
    }
  /** The tools of this server claim more than when it was agreed to. */
  | { readonly kind: 'hints-changed'; readonly serverId: string }
  /** The list of servers or another setting changed. */
  | { readonly kind: 'settings-changed' }
  | { readonly kind: 'call-queued'; readonly request: ToolInvocationRequest }
  | { readonly kind: 'call-started'; readonly request: ToolInvocationRequest }
  /** Only of calls whose caller asked for progress. */
  | {
      readonly kind: 'call-progress';
      readonly request: ToolInvocationRequest;
      readonly progress: Progress;
    }
  | {
      readonly kind: 'call-finished';
      readonly request: ToolInvocationRequest;
      readonly outcome: CallOutcome;
    }
  /** The calls that a session has made, or may make, changed. */
  | { readonly kind: 'session-changed'; readonly sessionId: string }
  | { readonly kind: 'calls-stopped'; readonly reason: HostError }
  | { readonly kind: 'calls-resumed' };

export type HostEvents = Listeners<HostEvent>;
