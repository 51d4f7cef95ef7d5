import type { JsonObject } from '@errand/wire';
import type { Caller } from './caller.ts';
import type { HostError } from './host-error.ts';
import type { ServerConfig } from './settings.ts';

/** Opens a connection; each deployment has its adapter. Rejects with a `HostError`. */
export interface Connector {
  connect(server: ServerConfig, options: ConnectOptions): Promise<Connection>;
}

export interface ConnectOptions {
  /** Ends the attempt; whatever was started for it is stopped before the promise rejects. */
  readonly signal: AbortSignal;
  /** Called for each step of connecting: starting, pulling an image, handshake. */
  readonly onStep?: (step: ConnectStep) => void;
  /** Called as the last thing before a local program is started; throws when it may not be. */
  readonly beforeStart?: () => void;
}

export interface ConnectStep {
  readonly name: 'start' | 'pull' | 'handshake' | 'tools';
  readonly detail?: string;
}

/** A live MCP connection whose handshake is done. Disposing it ends what was started for it. */
export interface Connection extends AsyncDisposable {
  readonly server: ServerIdentity;
  listTools(signal: AbortSignal): Promise<readonly ToolDescription[]>;
  /** Rejects with the reason as soon as the signal aborts, whatever the server does then. */
  callTool(call: ToolCall, options: CallOptions): Promise<RawToolResult>;
  /** A health check: `ping` in the older era, `server/discover` in the newer. Any response counts, also an error. */
  ping(signal: AbortSignal): Promise<void>;
  /** Resolves with the reason when the connection ends without having been disposed. */
  readonly lost: Promise<HostError>;
  /** Calls back when the server says that its tools changed. */
  onToolsChanged(listener: () => void): void;
  /** The last lines the server wrote to standard error; empty for remote servers. */
  lastOutput(): string;
  /** Its resources and prompts; undefined for a server that offers tools alone. */
  readonly content?: ServerContent | undefined;
}

/** What a server offers besides tools, as it declared when it was connected. */
export interface ServerFeatures {
  readonly resources?: boolean;
  /** It says when single resources change. */
  readonly subscriptions?: boolean;
  readonly prompts?: boolean;
  readonly completions?: boolean;
}

/** The resources and prompts of a connection. */
export interface ServerContent {
  readonly features: ServerFeatures;
  /** Asks the server; `invalid_params` when it refuses what was asked for. */
  request(request: ContentRequest, signal: AbortSignal): Promise<JsonObject>;
  /** Asks to be told of changes of a resource until the answer is disposed of. */
  subscribe(uri: string, signal: AbortSignal): Promise<Disposable>;
  onChanged(listener: (change: ContentChange) => void): void;
}

/** A question about resources and prompts; none of them changes anything, so each may be repeated. */
export interface ContentRequest {
  readonly method:
    | 'resources/list'
    | 'resources/templates/list'
    | 'resources/read'
    | 'prompts/list'
    | 'prompts/get'
    | 'completion/complete';
  readonly params: JsonObject;
}

/** What a server says has changed: one of its lists, or a resource that was subscribed to. */
export type ContentChange =
  | { readonly kind: 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  readonly instructions?: string;
}

export interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  /** Cancels the call and notifies the server. The caller enforces its deadline through it. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Answers the server's questions during the call; without it the host's own elicitor and sampler do. */
  readonly caller?: Caller;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A tool as its server describes it; the schema is a stranger's and is passed on untouched. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly unknown[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Why the tool cannot be called although it is listed: its schema is broken. */
  readonly broken?: string;
}

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A `tools/call` result as it came over the wire. */
export interface RawToolResult {
  readonly content: readonly ContentPart[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One part of a result; kinds we do not know keep all their fields. */
export interface ContentPart {
  readonly type: string;
  readonly [field: string]: unknown;
}
