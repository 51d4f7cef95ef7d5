import { McpServer, type McpServerOptions, type ServerContext } from '@modelcontextprotocol/server';
import { admitCall } from './admit-call.ts';
import type { AnswerSizes } from './answer-sizes.ts';
import type { TransportType } from './client-session.ts';
import type { SdkExtension, ServerDefinition } from './define-server.ts';
import type { ToolContext, ToolInfo } from './define-tool.ts';
import type { Logger } from './logger.ts';
import type { MemoryGate } from './memory-gate.ts';
import { offerTools } from './offer-tools.ts';
import type { RunningCalls } from './running-calls.ts';
import type { Session } from './sessions.ts';
import type { RegisteredTool } from './tool-table.ts';

/** What every client of a running server shares. */
export interface SharedByClients {
  readonly definition: Pick<ServerDefinition, 'name' | 'version' | 'title' | 'instructions'>;
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly extensions: readonly SdkExtension[];
  readonly calls: RunningCalls;
  readonly gate: MemoryGate;
  readonly answerSizes: AnswerSizes;
  /** Whether tools may be left out at all. */
  readonly isSelective: boolean;
  /** Why a tool cannot be used now; nothing when it can. */
  readonly whyNotOffered: (tool: ToolInfo, signal: AbortSignal) => Promise<string | undefined>;
  readonly log: Logger;
  readonly answerBytes: number;
  /** Told of every message that could not be served. */
  readonly onUnserved: (transport: TransportType, error: Error) => void;
}

/** Makes the SDK's server for one client. */
export function buildSdkServer(shared: SharedByClients, session: Session): McpServer {
  const { name, version, title, instructions } = shared.definition;
  const options = sdkOptions(shared);
  const server = new McpServer(
    { name, version, ...(title !== undefined && { title }) },
    {
      ...options,
      ...(instructions !== undefined && { instructions }),
    },
  );
  server.server.onerror = (error) => {
    session.failed(error);
    shared.onUnserved(session.transport, error);
  };
  for (const registered of shared.tools.values()) register(server, registered, shared, session);
  if (shared.isSelective) offerTools(server, shared);
  for (const sdk of shared.extensions) sdk.register?.(server);
  return server;
}

/** The options of the SDK, with what the server can do. */
export function sdkOptions({ extensions }: Pick<SharedByClients, 'extensions'>): McpServerOptions {
  const options: McpServerOptions = Object.assign({}, ...extensions.map((sdk) => sdk.options));
  return { ...options, capabilities: { ...options.capabilities, tools: { listChanged: false } } };
}

function register(
  server: McpServer,
  { tool, listedInput, listedOutput }: RegisteredTool,
  shared: SharedByClients,
  session: Session,
) {
  const { name, title, description, annotations, metadata } = tool;
  server.registerTool(
    name,
    {
      description,
      inputSchema: listedInput,
      ...(title !== undefined && { title }),
      ...(annotations !== undefined && { annotations }),
      ...(metadata !== undefined && { _meta: { ...metadata } }),
      ...(listedOutput !== undefined && { outputSchema: listedOutput }),
    },
    (given, sdk) =>
      shared.calls.run(sdk.mcpReq.signal, async (signal) => {
        const context = toolContext(sdk, session, signal, shared.log);
        const { result, failure } = await admitCall(shared, tool, given, context);
        shared.calls.record(failure?.code === 'internal_error' ? 'failed' : 'answered');
        return result;
      }),
  );
}

function toolContext(
  sdk: ServerContext,
  session: Session,
  signal: AbortSignal,
  log: Logger,
): ToolContext {
  const progressToken = sdk.mcpReq._meta?.progressToken;
  return {
    signal,
    session,
    log,
    progress(progress, total, message) {
      if (progressToken === undefined || signal.aborted) return;
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      sdk.mcpReq
        .notify({ method: 'notifications/progress', params })
        .catch((error: unknown) => log.debug({ err: error }, 'progress could not be sent'));
    },
  };
}
