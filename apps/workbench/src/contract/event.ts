import type { Advice } from '@errand/host';
import type { RunningBlock } from '@errand/workspace/runs';
import type { Assistant, ConversationEvent, ConversationState } from './assistant.ts';
import type { ActiveCall, PastCall, Session } from './call.ts';
import type { Failure } from './failure.ts';
import type { HookRunBrief } from './hook.ts';
import type { MailCounts } from './mail.ts';
import type { BlockEnd } from './note.ts';
import type { Server } from './server.ts';
import type { SecretList, SettingsState } from './settings.ts';
import type { TrustState } from './trust.ts';

export type Question = {
  readonly id: string;
  readonly server: string;
  readonly message: string;
} & (
  | { readonly kind: 'form'; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'url'; readonly url: string }
);

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** The reason. */
  readonly detail: string | null;
  readonly advice?: readonly Advice[];
  readonly server: string | null;
}

export type WorkbenchEvent =
  /** The missed events are no longer known, or the program was restarted: load everything again. */
  | { readonly kind: 'reload' }
  | {
      readonly kind: 'notes-changed';
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  /** The text changed: read it again if it is shown. `etag` is null when it can no longer be read. */
  | { readonly kind: 'note-changed'; readonly path: string; readonly etag: string | null }
  /** A block waits, runs or reports progress; with `end` it is done. */
  | {
      readonly kind: 'block-changed';
      readonly path: string;
      readonly key: string;
      readonly run: RunningBlock | null;
      readonly end: BlockEnd | null;
    }
  | {
      readonly kind: 'run-started';
      readonly path: string;
      readonly runId: string;
      readonly keys: readonly string[];
    }
  | {
      readonly kind: 'run-ended';
      readonly path: string;
      readonly runId: string;
      readonly results: readonly BlockEnd[];
      /** Why it could not be run at all. */
      readonly error: Failure | null;
    }
  | { readonly kind: 'servers-changed'; readonly servers: readonly Server[] }
  | { readonly kind: 'server-changed'; readonly server: Server }
  | { readonly kind: 'tools-changed'; readonly serverId: string }
  | { readonly kind: 'trust-changed'; readonly trust: TrustState }
  | { readonly kind: 'call-changed'; readonly call: ActiveCall }
  | { readonly kind: 'call-ended'; readonly call: PastCall }
  | { readonly kind: 'calls-stopped'; readonly isStopped: boolean }
  | { readonly kind: 'session-changed'; readonly session: Session }
  | { readonly kind: 'settings-changed'; readonly settings: SettingsState }
  | { readonly kind: 'assistants-changed'; readonly assistants: readonly Assistant[] }
  | { readonly kind: 'conversation-changed'; readonly state: ConversationState }
  | ConversationEvent
  /** Read the hooks again if they are shown. */
  | { readonly kind: 'hooks-changed' }
  | { readonly kind: 'hook-runs-changed'; readonly runs: readonly HookRunBrief[] }
  /** Read the board again if it is shown. */
  | { readonly kind: 'mail-changed'; readonly counts: MailCounts }
  | { readonly kind: 'secrets-changed'; readonly secrets: SecretList }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'question-asked'; readonly question: Question }
  | { readonly kind: 'question-closed'; readonly id: string };
