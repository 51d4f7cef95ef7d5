import type { Advice } from './advice.ts';
import type { RawToolResult } from './connection.ts';
import type { HostErrorCode, HostErrorFacts } from './host-error.ts';

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

/** A request to run one tool, which every face passes to the executor. */
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
  /** The headings above the request, outermost first; for the log. */
  readonly section?: readonly string[];
  /** Milliseconds; overrides the server's and the global timeout. */
  readonly timeout?: number;
  /** The model's request that asked for this call. */
  readonly round?: ModelRound;
}

/** One request to a language model in a conversation. */
export interface ModelRound {
  readonly conversation: string;
  /** Counted from 1 in each turn. */
  readonly number: number;
  readonly tokens?: TokenCount;
}

export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

/** A tool's answer, typed for showing, and whole. */
export interface ToolExecutionResult {
  readonly content: unknown;
  readonly contentType: 'text' | 'json' | 'markdown' | 'image';
  readonly executionDuration: number;
  readonly tokensUsed?: number;
  readonly displayFormat?: 'inline' | 'block' | 'collapsed';
  /** Images, sound and other binaries of the answer, in its order. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** The answer as the server gave it, for those who pass it on. */
  readonly raw: RawToolResult;
}

/** A binary part of an answer. The content of an `image` result is one. */
export interface Attachment {
  readonly mimeType: string;
  /** Base64, as it came. */
  readonly data: string;
  readonly uri?: string;
}

/** A failure as a value. */
export interface ErrorInfo {
  readonly code: HostErrorCode;
  /** What happened to what; true in every face. */
  readonly message: string;
  /** What is known beyond the sentence, such as the last lines that the server wrote. */
  readonly facts?: HostErrorFacts;
  /** What to do about it; left out when there is nothing to advise. */
  readonly advice?: readonly Advice[];
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
