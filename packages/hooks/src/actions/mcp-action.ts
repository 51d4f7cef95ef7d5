import { randomUUID } from 'node:crypto';
import {
  type CallOutcome,
  type Host,
  HostError,
  isRepeatableTool,
  type ServerConfig,
  type ToolDescription,
  toolNotFound,
  unknownServer,
} from '@errand/host';
import { resolveMappings } from '../definitions/resolve-mappings.ts';
import { chainSession } from '../hook-chain.ts';
import type { ActionContext, ActionOutcome, ActionPreview, ActionRunner } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { defaultTimeout } from './action-error.ts';

export type McpPorts = Pick<Host, 'servers' | 'execute' | 'check'>;

type McpAction = ActionOf<'mcp'>;

/** Calls a tool through the executor, in the session of the chain. */
export function mcpRunner(host: McpPorts): ActionRunner<'mcp'> {
  const mayChange = ({ parameters: { serverId, toolName } }: McpAction) => {
    const server = host.servers.find(serverId);
    const tool = server && lastTool(host, server, toolName);
    return tool?.annotations?.readOnlyHint !== true;
  };
  return {
    run: (action, context) => callTool(action, context, host),
    preview: (action, context) => previewCall(action, context, host),
    isRepeatable: ({ parameters: { serverId, toolName } }) => {
      const server = host.servers.find(serverId);
      return server !== undefined && isRepeatableTool(lastTool(host, server, toolName));
    },
    mayWrite: mayChange,
    mayChangeRepository: mayChange,
  };
}

async function callTool(
  { parameters: { serverId, toolName, parameterMappings, timeout = defaultTimeout } }: McpAction,
  { chain, fields, signal }: ActionContext,
  host: McpPorts,
): Promise<ActionOutcome> {
  const server = host.servers.find(serverId);
  if (server === undefined) return failure(notRegistered(host, serverId), serverId, 'unknown');
  let resolved: Readonly<Record<string, unknown>> | undefined;
  const outcome = await host.execute(
    {
      id: randomUUID(),
      serverId: server.id,
      toolName,
      parameters: {},
      source: 'hook',
      sessionId: chainSession(chain),
      timeout,
    },
    {
      signal,
      // Nobody watches: what a server asks meanwhile is declined, not shown in a dialog.
      caller: { owner: chainSession(chain), elicitor: { elicit: decline } },
      // By the schema that the executor checks against, so that both speak of the same tool.
      typeParameters: (_, inputSchema) => {
        const { parameters, problems } = resolveMappings(parameterMappings, fields, inputSchema);
        resolved = parameters;
        if (problems.length > 0) throw unusable(server, toolName, problems);
        return parameters;
      },
    },
  );
  const parameterResolutions = resolved && { parameterResolutions: resolved };
  return {
    ...describe(outcome, server, lastTool(host, server, toolName)),
    ...parameterResolutions,
  };
}

const decline = async () => ({ action: 'decline' }) as const;

function describe(
  outcome: CallOutcome,
  server: ServerConfig,
  tool: ToolDescription | undefined,
): ActionOutcome {
  if (outcome.status === 'success') {
    const { content, contentType, attachments = [] } = outcome.result;
    // Pictures and sound are for people; later actions learn only that there were some.
    const output =
      contentType === 'image' ? attachments.map(({ mimeType }) => ({ mimeType })) : content;
    return { status: 'success', output, mcpServerStatus: { [server.id]: 'available' } };
  }
  const { error, attempts } = outcome;
  const wasSent = attempts > 0 && error.facts?.neverSent !== true;
  if (!wasSent && unavailable.has(error.code)) {
    const mcpServerStatus = { [server.id]: 'unavailable' } as const;
    return { status: 'skipped', ...told(error), mcpServerStatus };
  }
  const isLost = unavailable.has(error.code);
  const status = outcome.status === 'error' ? 'failure' : outcome.status;
  const mayRepeat = !wasSent || isRepeatableTool(tool);
  return {
    ...failure(error, server.id, isLost ? 'unavailable' : 'available'),
    status,
    ...((isLost || status === 'timeout') && mayRepeat && { isTransient: true }),
  };
}

/** Why a server cannot be called now, although it may be later. */
const unavailable: ReadonlySet<string> = new Set([
  'server_disabled',
  'server_unavailable',
  'container_exited',
  'docker_unavailable',
  'image_missing',
  'port_in_use',
  'login_required',
  'secret_missing',
  'untrusted',
]);

function failure(
  error: CallFailure,
  serverId: string,
  status: 'available' | 'unavailable' | 'unknown',
): ActionOutcome {
  return { status: 'failure', ...told(error), mcpServerStatus: { [serverId]: status } };
}

type CallFailure = Pick<HostError, 'code' | 'message'> & Partial<Pick<HostError, 'advice'>>;

function told({ code, message, advice = [] }: CallFailure) {
  return { code, message, ...(advice.length > 0 && { advice }) };
}

function notRegistered({ servers }: McpPorts, serverId: string): HostError {
  return unknownServer(
    serverId,
    servers.list().map(({ name }) => name),
  );
}

function unusable(server: ServerConfig, tool: string, problems: readonly string[]): HostError {
  const facts = { server: server.name, tool, neverSent: true };
  return new HostError('invalid_params', problems.join('\n'), facts);
}

function lastTool({ servers }: McpPorts, { id }: ServerConfig, name: string) {
  return servers.lastTools(id)?.get(name);
}

async function previewCall(
  { parameters: { serverId, toolName, parameterMappings } }: McpAction,
  { fields, signal }: ActionContext,
  host: McpPorts,
): Promise<ActionPreview> {
  const server = host.servers.find(serverId);
  const refused = (error: HostError) => ({ resolved: {}, problems: [error.message] });
  if (server === undefined) return refused(notRegistered(host, serverId));
  try {
    const tool =
      lastTool(host, server, toolName) ?? (await findTool(host, server, toolName, signal));
    const { parameters, problems } = resolveMappings(parameterMappings, fields, tool.inputSchema);
    if (problems.length > 0) return { resolved: parameters, problems };
    const misfits = await host.check(server.name, tool, parameters).then(
      () => [],
      (error: unknown) => [sentence(error)],
    );
    const { enabled } = host.servers.snapshot(server.id);
    const off = enabled
      ? []
      : [`Server "${server.name}" is disabled: the action would be skipped.`];
    return { resolved: parameters, problems: [...misfits, ...off] };
  } catch (error) {
    return { resolved: {}, problems: [sentence(error)] };
  }
}

async function findTool(
  { servers }: McpPorts,
  server: ServerConfig,
  name: string,
  signal: AbortSignal,
): Promise<ToolDescription> {
  const tools = await servers.tools(server.id, signal);
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  throw toolNotFound(
    server.name,
    name,
    tools.map((each) => each.name),
  );
}

function sentence(error: unknown): string {
  if (error instanceof HostError) return error.message;
  throw error;
}
