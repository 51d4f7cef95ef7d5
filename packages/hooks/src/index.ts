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
