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
  readonly sessions: readonly ClientSession[];
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
  readonly sessions: readonly ClientSession[];
  readonly tools: readonly RegisteredTool[];
}

/** Copies the public state, so that callers hold no mutable data. */
export function serverReport(facts: ReportFacts): ServerReport {
  const { id, definition, status, startTime, transports, lastErrors, sessions, tools } = facts;
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
    sessions: sessions.map((session) => ({
      sessionId: session.sessionId,
      transport: session.transport,
      capabilities: session.capabilities,
      connectionTime: session.connectionTime,
      lastActivity: session.lastActivity,
      status: session.status,
    })),
    tools: tools.map(({ tool, registrationTime }) => ({
      name: tool.name,
      description: tool.description,
      metadata: tool.metadata ?? {},
      registrationTime,
    })),
  };
}
