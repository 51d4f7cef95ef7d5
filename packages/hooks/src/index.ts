export { actionRunners, type RunnerPorts } from './actions/action-runners.ts';
export type { AskAssistant, AskOptions } from './actions/agent-action.ts';
export { type AssistantPorts, assistantsOf } from './actions/ask-assistant.ts';
export { AgentTurns } from './bridge/agent-turns.ts';
export {
  type CheckHost,
  checkHook,
  type HookAdvice,
  type HookFault,
  type HookFaultCode,
  isInvalidating,
} from './definitions/check-hook.ts';
export {
  type ContextPorts,
  commonFields,
  contextFields,
  neededFields,
} from './definitions/context-fields.ts';
export {
  type DiscoveryHost,
  discoverServers,
  MCPDiscoveryCache,
  statusOf,
} from './definitions/discover-servers.ts';
export {
  type DryRun,
  dryRun,
  type EventVerdict,
  exampleEvent,
  explain,
  type HookExplanation,
  type RecordedEvent,
} from './definitions/explain.ts';
export {
  type ExportedHooks,
  exportHooks,
  exportToOrigin,
  type HookActivity,
} from './definitions/export-hooks.ts';
export { type FailedCondition, failedCondition } from './definitions/failed-condition.ts';
export { type HookTemplate, hookTemplates } from './definitions/hook-templates.ts';
export { type ImportedHooks, importHooks } from './definitions/import-hooks.ts';
export {
  type ActionParameters,
  type ExecutionContext,
  isValidMCPParams,
  isValidMCPServer,
  isValidMCPTool,
  isValidParameterMapping,
  type JSONSchema,
  type JSONSchemaProperty,
  MAX_SERVER_NAME_LENGTH,
  MAX_TOOL_NAME_LENGTH,
  MCP_DEFAULT_TIMEOUT,
  MCP_DISCOVERY_CACHE_TTL,
  MCP_MAX_CONCURRENT_ACTIONS,
  MCP_MAX_TIMEOUT,
  MCP_MIN_TIMEOUT,
  type MCPActionParams,
  type MCPExecutionContext,
  type MCPServer,
  type MCPTool,
  type ParameterMapping,
  type ServerStatus,
} from './definitions/mcp-contract.ts';
export {
  type HookStore,
  type HookStoreOptions,
  openHookStore,
} from './definitions/open-hook-store.ts';
export {
  type HookTrust,
  type HookTrustOptions,
  hookFingerprint,
  openHookTrust,
} from './definitions/open-hook-trust.ts';
export { type HookProblem, type ParsedHooks, parseHooks } from './definitions/parse-hooks.ts';
export { type ProposedMapping, proposeMappings } from './definitions/propose-mappings.ts';
export { type RenderedText, renderText } from './definitions/render-text.ts';
export {
  type ResolvedMappings,
  resolveMappings,
  uncoveredParameters,
} from './definitions/resolve-mappings.ts';
export {
  type TriggerMismatch,
  triggerMatches,
  triggerMismatch,
} from './definitions/trigger-matches.ts';
export { type AgentMessage, type AgentVerdict, isGuard } from './engine/answer-agent.ts';
export {
  defaultLimits,
  type HookApproval,
  type HookEnginePorts,
  type HookLimits,
  type HookLog,
  type HookRecord,
  type HookRecordStore,
  type HookRecords,
  type HookSource,
} from './engine/engine-ports.ts';
export type { HookMistakes, HookOptions, HookPreview } from './engine/hook-editing.ts';
export { HookEngine, type HookEngineEvent, type RunQuery } from './engine/hook-engine.ts';
export { HooksError, type HooksErrorCode } from './engine/hooks-error.ts';
export type { HookReasons, HooksMethods, HookTest, HookView } from './engine/hooks-methods.ts';
export { HooksService } from './engine/hooks-service.ts';
export type {
  Chain,
  EventSource,
  HookEvent,
  RunningSource,
  SourcePorts,
  WantedTrigger,
} from './hook-event.ts';
export type {
  ActionContext,
  ActionOutcome,
  ActionPreview,
  ActionRunner,
  ActionRunners,
  HookRun,
  RunStatus,
} from './hook-run.ts';
export {
  type ActionOf,
  type ActionType,
  actionSchema,
  agentOperations,
  type Condition,
  conditionSchema,
  type Hook,
  type HookAction,
  hookSchema,
  parameterMappingSchema,
  type Trigger,
  type TriggerKind,
  triggerSchema,
} from './hook-schema.ts';
export { ChainTracker } from './sources/chain-tracker.ts';
export { eventSources } from './sources/event-sources.ts';
export { httpEndpoint } from './sources/http-source.ts';
export type { SourcesPorts } from './sources/sources-ports.ts';
export { openStateFile, type StateFile } from './sources/state-file.ts';
