import type {
  Caller,
  CallOutcome,
  ContentChange,
  ContentRequest,
  OfferedTool,
  Progress,
  ServerFeatures,
  ToolInvocationRequest,
} from '@errand/host';
import type { JsonObject } from '@errand/wire';

/** What the gateway needs of the host: the tools that are known, and the one way to call them. */
export interface GatewayHost {
  tools(): readonly OfferedTool[];
  execute(request: ToolInvocationRequest, options: GatewayCallOptions): Promise<CallOutcome>;
  /** Waits for servers on their way, whose tools `tools()` lacks; nothing when there are none. */
  arrivals(signal: AbortSignal): Promise<void> | undefined;
  /** The server that a tool of this name would be on, when its tools are not known for certain. */
  absentServerOf(name: string): AbsentServer | undefined;
  /** Calls back when `tools()` answers differently; returns a function that stops it. */
  onToolsChanged(listener: () => void): () => void;
  readonly content: GatewayContent;
}

/** The resources and prompts of the host's servers. */
export interface GatewayContent {
  /** The servers that have any, in the order of the settings; also those that are restarting. */
  servers(): readonly ContentServer[];
  request(serverId: string, request: ContentRequest, signal: AbortSignal): Promise<JsonObject>;
  subscribe(serverId: string, uri: string, signal: AbortSignal): Promise<Disposable>;
  /** Whether calls are stopped: then nothing is read either. */
  isStopped(): boolean;
  /** Calls back when a server says that something changed, or, without a change, when servers came or went. */
  onChanged(listener: (serverId?: string, change?: ContentChange) => void): () => void;
}

/** A server that has resources or prompts. */
export interface ContentServer {
  readonly id: string;
  readonly name: string;
  readonly features: ServerFeatures;
  /** Differs for each connection; undefined while there is none. */
  readonly connection?: number;
}

/** A server that is not connected, and a tool that it may have. */
export interface AbsentServer {
  /** The tool under the name that its server would know it by. */
  readonly guess: OfferedTool;
  /** Waits until the server has arrived or failed to. */
  settled(signal: AbortSignal): Promise<void>;
}

export interface GatewayCallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Answers what the server asks in the course of the call. */
  readonly caller: Caller;
  /** For the server, in the call's `_meta`: the hop count, and what the client put there. */
  readonly meta?: Readonly<Record<string, unknown>>;
}
