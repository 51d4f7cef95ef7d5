import type { ClientSession, TransportType } from './client-session.ts';
import type { ServedTransport } from './served-transport.ts';
import type { ServerStatus } from './server-status.ts';
import type { RegisteredTool } from './tool-table.ts';

/** What a server is and has at this moment. */
export interface ServerReport {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly status: ServerStatus;
  readonly startTime: Date;
  readonly transports: readonly (Omit<ServedTransport, 'close'> & {
    /** The last message that could not be served, and why. */
    readonly lastError: Error | undefined;
  })[];
  /** What the server tells clients that it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly sessions: readonly ClientSession[];
  /** The last sessions that ended by an error. */
  readonly failedSessions: readonly ClientSession[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly registrationTime: Date;
  }[];
}

interface ReportFacts {
  readonly id: string;
  readonly definition: { readonly name: string; readonly version: string };
  readonly status: ServerStatus;
  readonly startTime: Date;
  readonly transports: readonly ServedTransport[];
  readonly lastErrors: ReadonlyMap<TransportType, Error>;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly sessions: readonly ClientSession[];
  readonly failedSessions: readonly ClientSession[];
  readonly tools: readonly RegisteredTool[];
}

/** Copies the public state, so that callers hold no mutable data. */
export function serverReport(facts: ReportFacts): ServerReport {
  const { id, definition, status, startTime, transports, lastErrors, sessions, tools } = facts;
  const { capabilities, failedSessions } = facts;
  return {
    id,
    name: definition.name,
    version: definition.version,
    status,
    startTime,
    transports: transports.map(({ type, isActive, configuration }) => ({
      type,
      isActive,
      configuration,
      lastError: lastErrors.get(type),
    })),
    capabilities,
    sessions: sessions.map(copyOf),
    failedSessions: failedSessions.map(copyOf),
    tools: tools.map(({ tool, registrationTime }) => ({
      name: tool.name,
      description: tool.description,
      metadata: tool.metadata ?? {},
      registrationTime,
    })),
  };
}

function copyOf(session: ClientSession): ClientSession {
  return {
    sessionId: session.sessionId,
    transport: session.transport,
    capabilities: session.capabilities,
    connectionTime: session.connectionTime,
    lastActivity: session.lastActivity,
    status: session.status,
    lastError: session.lastError,
  };
}
