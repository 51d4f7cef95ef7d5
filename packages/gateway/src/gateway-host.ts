import type {
  Caller,
  CallOutcome,
  OfferedTool,
  Progress,
  ToolInvocationRequest,
} from '@errand/host';

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
