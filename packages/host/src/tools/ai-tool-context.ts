import type { ToolAnnotations } from '../connection.ts';
import type { Host } from '../create-host.ts';
import type { ExecuteOptions } from '../executor/running-call.ts';
import { briefFailure, HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';
import type { NotePosition } from '../notes/decide-section.ts';
import type { CallOutcome, CallSource, ModelRound } from '../tool-invocation.ts';
import { offeredSchema, offeredTools } from './offered-tools.ts';
import { type ToolScope, toolScope } from './tool-scope.ts';

/** The tools that a model may use, and the way to use them (S0 7). */
export interface AIToolContext {
  readonly tools: readonly AITool[];
  /** A call that fails is a value. What the place forbids is refused, whatever was offered. */
  readonly executeTool: (
    serverId: string,
    toolName: string,
    params: Readonly<Record<string, unknown>>,
    options?: AICallOptions,
  ) => Promise<CallOutcome>;
  /** Why the place forbids a server. */
  readonly refuses: (serverId: string) => HostError | undefined;
  /** Ids of the servers whose tools are there. */
  readonly enabledServers: readonly string[];
  /** Names of servers that the place allows and that are switched off. */
  readonly disabledServers: readonly string[];
  /** Id of the server that the section is bound to. */
  readonly sectionBinding?: string;
  /** Why tools that a person may expect are not there. */
  readonly problems: readonly HostError[];
}

export interface AITool {
  readonly serverId: string;
  readonly serverName: string;
  readonly toolName: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
}

/** How one call of a model is made. */
interface AICallOptions
  extends Pick<ExecuteOptions, 'signal' | 'onState' | 'onProgress' | 'approve'> {
  /** The id the call gets; a fresh one when not given. */
  readonly id?: string;
  readonly round?: ModelRound;
}

/** Who the tools are for. */
interface AIToolUser {
  readonly source: CallSource;
  readonly sessionId: string;
  /** The place that limits what may be used; without one every enabled server is there. */
  readonly place?: NotePosition;
}

interface AIToolPorts {
  readonly host: Pick<Host, 'servers' | 'execute'>;
  readonly notes: NoteStore;
}

/** How long servers that are not connected yet are waited for, in milliseconds. */
const patience = 10_000;

/** The tools for a model as things are now: servers that are needed are started and waited for. */
export async function openToolContext(
  user: AIToolUser,
  ports: AIToolPorts,
  signal: AbortSignal,
): Promise<AIToolContext> {
  const scope = await scopeOf(user, ports, signal);
  if (scope instanceof HostError) return noTools(scope);
  const { host } = ports;
  const allowed = host.servers.list().filter(({ name }) => scope.allows(name));
  const wanted = allowed.filter(({ enabled }) => enabled);
  const problems = await startServers(wanted, host, signal);
  const enabledServers = wanted.map(({ id }) => id);
  const enabled = new Set(enabledServers);
  const refuses = (serverId: string) => refusal(serverId, scope, host);
  const bound = scope.boundServer && host.servers.find(scope.boundServer);
  return {
    tools: offeredTools(host).flatMap(({ server, tool }) => {
      if (!enabled.has(server.id) || tool.broken !== undefined) return [];
      return {
        serverId: server.id,
        serverName: server.name,
        toolName: tool.name,
        description: tool.description ?? tool.title ?? '',
        inputSchema: offeredSchema(tool),
        ...(tool.annotations && { annotations: tool.annotations }),
      };
    }),
    executeTool: (serverId, toolName, parameters, options = {}) => {
      const { id = crypto.randomUUID(), round, ...execute } = options;
      return host.execute(
        {
          id,
          serverId,
          toolName,
          parameters,
          source: user.source,
          sessionId: user.sessionId,
          ...(user.place && { documentPath: user.place.path }),
          ...(user.place?.line !== undefined && { sectionLine: user.place.line }),
          ...(round && { round }),
        },
        { ...execute, allows: () => refuses(serverId) },
      );
    },
    refuses,
    enabledServers,
    disabledServers: allowed.filter((each) => !each.enabled).map(({ name }) => name),
    ...(bound && { sectionBinding: bound.id }),
    problems: [
      ...problems,
      ...missingServer(scope, allowed),
      ...scope.problems.map(({ message }) => new HostError('section_forbids', message)),
    ],
  };
}

async function scopeOf(
  { place }: AIToolUser,
  ports: AIToolPorts,
  signal: AbortSignal,
): Promise<ToolScope | HostError> {
  return place === undefined
    ? { allows: () => true, problems: [] }
    : toolScope(place, ports, signal);
}

function noTools(problem: HostError): AIToolContext {
  return {
    tools: [],
    executeTool: async () => ({
      requestId: crypto.randomUUID(),
      attempts: 0,
      durationMs: 0,
      status: 'error',
      error: briefFailure(problem),
    }),
    refuses: () => problem,
    enabledServers: [],
    disabledServers: [],
    problems: [problem],
  };
}

/** Connects what is not connected, all at once; one that cannot be is a problem, not a failure. */
async function startServers(
  wanted: ReturnType<Host['servers']['list']>,
  { servers }: Pick<Host, 'servers'>,
  signal: AbortSignal,
): Promise<readonly HostError[]> {
  const late = AbortSignal.timeout(patience);
  const problems = await Promise.all(
    wanted.map(async ({ id, name }) => {
      // One that was there and is lost may take long to come back; the others need not wait for it.
      if (servers.progress(id).isRecovering) return [lost(name)];
      try {
        await servers.tools(id, AbortSignal.any([signal, late]));
        return [];
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof HostError) return [error];
        if (!late.aborted) throw error;
        const message = `Server "${name}" is not ready after ${patience / 1000} s; its tools are left out until it is.`;
        return [new HostError('server_unavailable', message, { server: name })];
      }
    }),
  );
  return problems.flat();
}

function lost(server: string): HostError {
  const message = `MCP server ${server} disconnected, retrying... Its tools are left out until it is back.`;
  return new HostError('server_unavailable', message, { server });
}

/** A bound section whose server is disabled has no tools; the person gets a notice. */
function missingServer(
  { boundServer }: ToolScope,
  allowed: ReturnType<Host['servers']['list']>,
): readonly HostError[] {
  const server = allowed.find(({ name }) => name === boundServer);
  if (server === undefined || server.enabled) return [];
  const { name } = server;
  const message = `This section is bound to ${name}. Server ${name} is disabled.`;
  const advice = [{ kind: 'enable-server', server: name }] as const;
  return [new HostError('server_disabled', message, { server: name }, { advice })];
}

function refusal(
  serverId: string,
  { allows, boundServer }: ToolScope,
  { servers }: Pick<Host, 'servers'>,
): HostError | undefined {
  const name = servers.find(serverId)?.name ?? serverId;
  if (allows(name)) return undefined;
  const message = `This section is bound to ${boundServer}, so ${name} may not be called here.`;
  return new HostError('section_forbids', message, { server: name });
}
