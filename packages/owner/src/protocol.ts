import type {
  ActiveExecution,
  CallOutcome,
  CallState,
  ConnectionDetails,
  ConnectProgress,
  ContentRequest,
  CountedSession,
  ElicitAnswer,
  ElicitQuestion,
  ErrorInfo,
  HostEvent,
  LentServer,
  LoadedSettings,
  Notice,
  Progress,
  RawToolResult,
  SampleAnswer,
  SampleRequest,
  ServerSnapshot,
  SessionUsage,
  ToolCall,
  ToolDescription,
  ToolInvocationRequest,
} from '@errand/host';
import type { JsonObject } from '@errand/wire';
import type { OwnerInfo } from './lease/owner-info.ts';

/** Changes when programs of the version before can no longer be spoken to. */
export const protocol = 1;

/** Who attaches. */
export interface FaceInfo {
  readonly program: string;
  readonly version: string;
  readonly pid: number;
  /** Whether it wants to follow calls and tools, as programs that stay do. */
  readonly isWatching: boolean;
}

/** Everything a face mirrors of the owner's host. */
export interface HostState {
  readonly settings: LoadedSettings;
  readonly servers: readonly ServerState[];
  readonly tools: readonly ServerTools[];
  readonly sessions: readonly (readonly [id: string, usage: SessionUsage])[];
  readonly calls: readonly ActiveExecution[];
  readonly totalExecuted: number;
  readonly isStopped: boolean;
}

export interface ServerState {
  readonly snapshot: ServerSnapshot;
  readonly progress: ConnectProgress;
}

export interface ServerTools {
  readonly serverId: string;
  readonly tools: readonly ToolDescription[];
}

/** What a caller can do in the course of a call, besides waiting for its end. */
export interface CallWants {
  readonly progress: boolean;
  readonly types: boolean;
  readonly approves: boolean;
  readonly elicits: boolean;
  readonly samples: boolean;
}

export interface ExecuteParams {
  /** Names the call on this connection. */
  readonly call: number;
  readonly request: ToolInvocationRequest;
  readonly wants: CallWants;
  /** The client of the face that the call is for; the face itself when there is none. */
  readonly client?: string;
  /** Why the place the request comes from forbids it. */
  readonly refusal?: ErrorInfo;
  readonly progressExtends?: boolean;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An outcome without what can be made from the rest. */
export type SentOutcome = Omit<CallOutcome, 'result'> & {
  readonly error?: ErrorInfo;
  readonly result?: { readonly raw: RawToolResult; readonly executionDuration: number };
};

export type SentEvent =
  | Exclude<
      HostEvent,
      { kind: 'call-finished' | 'calls-stopped' | 'server-changed' | 'settings-changed' }
    >
  | ({ readonly kind: 'server-changed' } & ServerState)
  | {
      readonly kind: 'settings-changed';
      readonly settings: LoadedSettings;
      readonly servers: readonly ServerState[];
    }
  | {
      readonly kind: 'call-finished';
      readonly request: ToolInvocationRequest;
      readonly outcome: SentOutcome;
    }
  | { readonly kind: 'calls-stopped'; readonly reason: ErrorInfo }
  | { readonly kind: 'session-usage'; readonly sessionId: string; readonly usage: SessionUsage }
  | ({ readonly kind: 'tools' } & ServerTools);

/** Who takes part in a vault and what runs there, for people. */
export interface OwnerStatus {
  readonly owner: OwnerInfo;
  readonly faces: readonly FaceInfo[];
  readonly servers: readonly ServerSnapshot[];
  readonly calls: readonly ActiveExecution[];
  readonly isStopped: boolean;
  readonly sessions: readonly (readonly [id: string, usage: SessionUsage])[];
}

/** Nobody waits for what comes back. */
type Nothing = unknown;
type ServerParams = { readonly serverId: string };
type SessionParams = { readonly sessionId: string };

/** A request to something that the owner runs besides the host, such as its jobs. */
export interface ServiceRequest {
  readonly service: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** Something that a service of the owner tells the programs on the vault. */
export interface ServiceEvent {
  readonly service: string;
  readonly event: JsonObject;
}

/** What a face asks of the owner. */
export interface OwnerMethods {
  hello: { params: FaceInfo; result: HostState };
  ping: { params: object; result: object };
  status: { params: object; result: OwnerStatus };
  /** Reads settings and agreements again; what is asked after it sees them. */
  refresh: { params: object; result: Nothing };
  execute: { params: ExecuteParams; result: { readonly outcome: SentOutcome } };
  cancel: { params: { readonly requestId: string }; result: Nothing };
  stop: { params: object; result: Nothing };
  resume: { params: object; result: Nothing };
  tools: {
    params: ServerParams & { readonly isFresh: boolean };
    result: { readonly tools: readonly ToolDescription[] };
  };
  details: { params: ServerParams; result: ConnectionDetails };
  content: {
    params: ServerParams & { readonly request: ContentRequest };
    result: { readonly content: JsonObject };
  };
  /** Follows a resource for as long as the face is attached, or until it unsubscribes. */
  subscribe: {
    params: ServerParams & SubscriptionParams & { readonly uri: string };
    result: Nothing;
  };
  unsubscribe: { params: SubscriptionParams; result: Nothing };
  'start-servers': { params: object; result: Nothing };
  'try-now': { params: ServerParams; result: Nothing };
  'set-enabled': { params: ServerParams & { readonly enabled: boolean }; result: Nothing };
  'limit-session': { params: SessionParams & { readonly limit: number }; result: Nothing };
  'quiet-session': { params: SessionParams; result: Nothing };
  'reset-session': { params: SessionParams; result: Nothing };
  'close-session': { params: SessionParams; result: Nothing };
  'rename-session': { params: SessionParams & { readonly to: string }; result: Nothing };
  /** The sessions of a face that had another owner before. */
  'restore-sessions': {
    params: { readonly sessions: readonly (readonly [id: string, counted: CountedSession])[] };
    result: Nothing;
  };
  /** Offers tools of the face itself for as long as it is attached. */
  lend: {
    params: LentParams & Pick<LentServer, 'id' | 'name'>;
    result: Nothing;
  };
  withdraw: { params: LentParams; result: Nothing };
  'lent-tools-changed': { params: LentParams; result: Nothing };
  /** Asks one of the services that the owner runs. */
  service: { params: ServiceRequest; result: { readonly value?: unknown } };
  /** Asks an editor to let the caller own the vault; answered when nothing of the owner's runs any more. */
  'hand-over': { params: object; result: { readonly isGranted: boolean } };
}

/** Names a subscription on this connection. */
type SubscriptionParams = { readonly subscription: number };

/** Names a lent server on this connection. */
type LentParams = { readonly lent: number };

type CallParams = { readonly call: number };

/** What the owner asks of a face. */
export interface FaceMethods {
  events: { params: { readonly events: readonly SentEvent[] }; result: Nothing };
  notice: { params: { readonly notice: Notice }; result: Nothing };
  'service-event': { params: ServiceEvent; result: Nothing };
  /** The owner is about to end its connections because another program takes its place. */
  leaving: { params: object; result: Nothing };
  state: {
    params: CallParams & { readonly state: CallState; readonly isRepeatable: boolean };
    result: Nothing;
  };
  progress: { params: CallParams & { readonly progress: Progress }; result: Nothing };
  type: {
    params: CallParams & {
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly inputSchema: Readonly<Record<string, unknown>>;
    };
    result: { readonly parameters: Readonly<Record<string, unknown>> };
  };
  approve: {
    params: CallParams & {
      readonly request: ToolInvocationRequest;
      readonly tool: ToolDescription;
    };
    result: { readonly refusal?: ErrorInfo; readonly wasAsked: boolean };
  };
  elicit: {
    params: CallParams & { readonly question: ElicitQuestion };
    result: ElicitAnswer;
  };
  sample: {
    params: CallParams & { readonly request: SampleRequest };
    result: { readonly answer?: SampleAnswer };
  };
  secret: { params: { readonly name: string }; result: { readonly value?: string } };
  'lent-tools': { params: LentParams; result: { readonly tools: readonly ToolDescription[] } };
  'lent-call': { params: LentParams & { readonly toolCall: ToolCall }; result: RawToolResult };
}
