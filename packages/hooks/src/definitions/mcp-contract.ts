import type { HookAction } from '../hook-schema.ts';

// The names, types and limits of the data model for MCP servers in hooks, to the letter.

export interface MCPActionParams {
  serverId: string;
  toolName: string;
  parameterMappings: ParameterMapping[];
  /** Milliseconds; `MCP_DEFAULT_TIMEOUT` when not given. */
  timeout?: number;
}

export interface ParameterMapping {
  toolParam: string;
  source: 'context' | 'literal' | 'template';
  value: string;
}

export type ServerStatus = 'available' | 'unavailable' | 'unknown';

export interface MCPServer {
  id: string;
  name: string;
  description?: string;
  status: ServerStatus;
  tools: MCPTool[];
  /** Milliseconds since 1970. */
  lastDiscovered: number;
}

export interface MCPTool {
  name: string;
  displayName: string;
  description: string;
  inputSchema: JSONSchema;
  serverId: string;
}

/** The parts of JSON Schema that the model names; real schemas have more. */
export interface JSONSchema {
  type: string;
  properties?: Record<string, JSONSchemaProperty>;
  required?: string[];
}

export interface JSONSchemaProperty {
  type: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
}

/** The parameters of an action, whatever its type. */
export type ActionParameters = HookAction['parameters'];

/** One chain of runs. */
export interface ExecutionContext {
  executionId: string;
  chainDepth: number;
  executedHooks: Set<string>;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** One chain of runs with what its MCP actions saw and sent. */
export interface MCPExecutionContext extends ExecutionContext {
  /** By the server's id. */
  mcpServerStatus: Map<string, ServerStatus>;
  /** By the parameter's name. */
  parameterResolutions: Map<string, unknown>;
}

/** How long what was discovered counts, in milliseconds: 5 minutes. */
export const MCP_DISCOVERY_CACHE_TTL = 300_000;
/** 30 seconds. */
export const MCP_DEFAULT_TIMEOUT = 30_000;
/** 1 second. */
export const MCP_MIN_TIMEOUT = 1_000;
/** 5 minutes. */
export const MCP_MAX_TIMEOUT = 300_000;
/** Actions that run at once. */
export const MCP_MAX_CONCURRENT_ACTIONS = 5;
export const MAX_SERVER_NAME_LENGTH = 100;
export const MAX_TOOL_NAME_LENGTH = 100;

/** Whether a value has everything that an MCP action needs. */
export function isValidMCPParams(obj: unknown): obj is MCPActionParams {
  if (!isObject(obj)) return false;
  const { serverId, toolName, parameterMappings, timeout } = obj;
  return (
    isText(serverId) &&
    isText(toolName) &&
    Array.isArray(parameterMappings) &&
    parameterMappings.every(isValidParameterMapping) &&
    (timeout === undefined ||
      (typeof timeout === 'number' && timeout >= MCP_MIN_TIMEOUT && timeout <= MCP_MAX_TIMEOUT))
  );
}

/** Whether a value maps a parameter of a tool. */
export function isValidParameterMapping(obj: unknown): obj is ParameterMapping {
  if (!isObject(obj)) return false;
  const { toolParam, source, value } = obj;
  return isText(toolParam) && isOneOf(source, sources) && typeof value === 'string';
}

/** Whether a value describes a server. */
export function isValidMCPServer(obj: unknown): obj is MCPServer {
  if (!isObject(obj)) return false;
  const { id, name, status, tools, lastDiscovered } = obj;
  return (
    isText(id) &&
    isText(name, MAX_SERVER_NAME_LENGTH) &&
    isOneOf(status, statuses) &&
    Array.isArray(tools) &&
    typeof lastDiscovered === 'number' &&
    lastDiscovered > 0
  );
}

/** Whether a value describes a tool as our own servers name theirs; tools of others may have other names. */
export function isValidMCPTool(obj: unknown): obj is MCPTool {
  if (!isObject(obj)) return false;
  const { name, displayName, description, inputSchema, serverId } = obj;
  return (
    isText(name) &&
    /^[a-zA-Z0-9_]+$/.test(name) &&
    isText(displayName, MAX_TOOL_NAME_LENGTH) &&
    typeof description === 'string' &&
    isObject(inputSchema) &&
    isText(serverId)
  );
}

const sources = ['context', 'literal', 'template'] as const;
const statuses: readonly ServerStatus[] = ['available', 'unavailable', 'unknown'];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown, longest = Number.POSITIVE_INFINITY): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longest;
}

function isOneOf(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'string' && names.includes(value);
}
