import { nearestName } from '@errand/document';
import { findServer, type Host } from '@errand/host';
import type { Hook } from '../hook-schema.ts';
import { commonFields, neededFields } from './context-fields.ts';
import { uncoveredParameters } from './resolve-mappings.ts';

/** Why a hook would not do what it says; what to do about it is data, which each face puts into words. */
export interface HookFault {
  readonly code: HookFaultCode;
  /** What happened to what, true in every face. */
  readonly message: string;
  /** Which action it is about, from 0; missing when it is about the whole hook. */
  readonly action?: number;
  readonly advice: readonly HookAdvice[];
}

export type HookFaultCode =
  /** The server of an action is not registered any more: the hook is invalid. */
  | 'server_removed'
  /** The server does not have the tool any more: the hook is invalid. */
  | 'tool_removed'
  /** Parameters that the tool requires are not mapped. */
  | 'parameters_uncovered'
  /** The assistant of an action is not in the settings. */
  | 'assistant_unknown'
  /** The server is switched off; runs are skipped. */
  | 'server_disabled'
  /** A condition, mapping or template mentions a field that is nearly one that there is. */
  | 'field_unknown'
  /** The hook waits for the beginning of an operation, which no agent tells of. */
  | 'never_told';

export type HookAdvice =
  | { readonly kind: 'update-hook'; readonly hook: string; readonly meant?: string }
  | { readonly kind: 'remove-hook'; readonly hook: string }
  | { readonly kind: 'enable-server'; readonly server: string }
  | { readonly kind: 'install-bridge' };

/** The faults with which a hook is invalid and does not run. */
export function isInvalidating({ code }: HookFault): boolean {
  return code === 'server_removed' || code === 'tool_removed';
}

/** Why a hook on the beginning of operations never runs: files say only what has happened. */
export function neverTold({ trigger }: Hook): HookFault | undefined {
  if (trigger.kind !== 'agent-operation' || trigger.timing !== 'before') return undefined;
  const message = `No agent tells when "${trigger.operation}" begins.`;
  return { code: 'never_told', message, advice: [{ kind: 'install-bridge' }] };
}

/** What of a host hooks are checked against. */
export type CheckHost = {
  readonly servers: Pick<Host['servers'], 'settings' | 'lastTools'>;
};

/** Compares a hook with the servers, tools and assistants that there are; starts nothing. */
export function checkHook(hook: Hook, { servers }: CheckHost): readonly HookFault[] {
  const { settings } = servers;
  const update = (meant?: string): HookAdvice => ({
    kind: 'update-hook',
    hook: hook.name,
    ...(meant !== undefined && { meant }),
  });
  const remove: HookAdvice = { kind: 'remove-hook', hook: hook.name };
  const known = [...commonFields, ...ownFields];
  const fields = [...neededFields(hook)].flatMap((name): readonly HookFault[] => {
    const meant = known.includes(name) ? undefined : nearestName(name, known);
    if (meant === undefined) return [];
    const message = `There is no field "${name}".`;
    return [{ code: 'field_unknown', message, advice: [update(meant)] }];
  });
  const actions = hook.actions.flatMap((action, index): readonly HookFault[] => {
    const fault = (code: HookFaultCode, message: string, ...advice: HookAdvice[]) => [
      { code, message, action: index, advice },
    ];
    if (action.type === 'agent' && 'assistant' in action.parameters) {
      const { assistant } = action.parameters;
      const names = settings.assistants.map(({ name }) => name);
      if (names.some((name) => name.toLowerCase() === assistant.toLowerCase())) return [];
      const message = `There is no assistant "${assistant}" in the settings.`;
      return fault('assistant_unknown', message, update(nearestName(assistant, names)), remove);
    }
    if (action.type !== 'mcp') return [];
    const { serverId, toolName, parameterMappings } = action.parameters;
    const server = findServer(settings, serverId);
    if (server === undefined) {
      const names = settings.mcpServers.map(({ name }) => name);
      const message = `The server "${serverId}", whose tool "${toolName}" it calls, was removed or never registered.`;
      return fault('server_removed', message, update(nearestName(serverId, names)), remove);
    }
    const disabled = server.enabled
      ? []
      : fault('server_disabled', `Server "${server.name}" is switched off.`, {
          kind: 'enable-server',
          server: server.name,
        });
    const tools = servers.lastTools(server.id);
    // A server that never listed its tools may have it.
    if (tools === undefined) return disabled;
    const tool = tools.get(toolName);
    if (tool === undefined) {
      const message = `Server "${server.name}" has no tool "${toolName}" any more.`;
      const meant = nearestName(toolName, tools.keys());
      return [...disabled, ...fault('tool_removed', message, update(meant), remove)];
    }
    const uncovered = uncoveredParameters(parameterMappings, tool.inputSchema);
    if (uncovered.length === 0) return disabled;
    const listed = uncovered.map((name) => `"${name}"`).join(', ');
    const message = `Tool "${toolName}" of server "${server.name}" requires ${listed}, which nothing is mapped to.`;
    return [...disabled, ...fault('parameters_uncovered', message, update())];
  });
  return [...fields, ...actions];
}

/** The tools that a hook calls and that nobody can check yet: their server has not listed its tools here. */
export function uncheckedTools(
  { actions }: Hook,
  { servers }: CheckHost,
): readonly { readonly server: string; readonly tool: string }[] {
  return actions.flatMap((action) => {
    if (action.type !== 'mcp') return [];
    const { serverId, toolName } = action.parameters;
    const server = findServer(servers.settings, serverId);
    if (server === undefined || servers.lastTools(server.id) !== undefined) return [];
    return [{ server: server.name, tool: toolName }];
  });
}

/** What events bring under their own names, and what earlier actions gave. */
const ownFields = 'file git schedule call server mail http agent timing bridge actions'.split(' ');
