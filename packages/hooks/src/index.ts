export { type ContextPorts, contextFields, neededFields } from './definitions/context-fields.ts';
export { type FailedCondition, failedCondition } from './definitions/failed-condition.ts';
export { type HookProblem, type ParsedHooks, parseHooks } from './definitions/parse-hooks.ts';
export { type RenderedText, renderText } from './definitions/render-text.ts';
export {
  type ResolvedMappings,
  resolveMappings,
  uncoveredParameters,
} from './definitions/resolve-mappings.ts';
export { triggerMatches } from './definitions/trigger-matches.ts';
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
  type ParameterMapping,
  parameterMappingSchema,
  type Trigger,
  type TriggerKind,
  triggerSchema,
} from './hook-schema.ts';
export { ChainTracker } from './sources/chain-tracker.ts';
export { eventSources } from './sources/event-sources.ts';
export { httpEndpoint } from './sources/http-source.ts';
export type { SourcesPorts } from './sources/sources-ports.ts';
