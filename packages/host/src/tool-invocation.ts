import type { RawToolResult } from './connection.ts';
import type { HostErrorCode } from './host-error.ts';

/** Who asked for a call. */
export type CallSource =
  | 'user-codeblock'
  | 'ai-autonomous'
  | 'command'
  | 'gateway'
  | 'hook'
  | 'mail'
  | 'workbench';

export type CallStatus = 'pending' | 'executing' | 'success' | 'error' | 'timeout' | 'cancelled';

/** What every face hands to the executor: one wish to run one tool. */
export interface ToolInvocationRequest {
  readonly id: string;
  readonly serverId: string;
  readonly toolName: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly source: CallSource;
  /** Counts against this session's limit (D6). */
  readonly sessionId: string;
  /** Vault-relative path of the note that asked. */
  readonly documentPath?: string;
  readonly sectionLine?: number;
  /** Milliseconds; overrides the server's and the global timeout. */
  readonly timeout?: number;
}

/** A tool's answer, typed for showing, and whole. */
export interface ToolExecutionResult {
  readonly content: unknown;
  readonly contentType: 'text' | 'json' | 'markdown' | 'image';
  readonly executionDuration: number;
  readonly tokensUsed?: number;
  readonly displayFormat?: 'inline' | 'block' | 'collapsed';
  /** The answer as the server gave it, for those who pass it on. */
  readonly raw: RawToolResult;
}

export interface ErrorInfo {
  readonly code: HostErrorCode;
  readonly message: string;
}

/** How a call ended. A failed call is a value: the note survives it. */
export type CallOutcome = {
  readonly requestId: string;
  readonly attempts: number;
  readonly durationMs: number;
} & (
  | { readonly status: 'success'; readonly result: ToolExecutionResult }
  | {
      readonly status: 'error' | 'timeout' | 'cancelled';
      readonly error: ErrorInfo;
      /** Present when the tool itself answered with a failure. */
      readonly result?: ToolExecutionResult;
    }
);
