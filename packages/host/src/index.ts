export { type Advice, adviceForCode } from './advice.ts';
export type {
  CallAttempt,
  CallFilter,
  CallLog,
  CallRecord,
  LoggedCall,
  LoggedCallDetails,
} from './call-log.ts';
export type { Caller } from './caller.ts';
export { soleCaller } from './caller.ts';
export type { Clock } from './clock.ts';
export { ArraySet } from './concurrency/array-set.ts';
export { Semaphore } from './concurrency/semaphore.ts';
export { within } from './concurrency/within.ts';
export type {
  CallOptions,
  Connection,
  ConnectOptions,
  Connector,
  ConnectStep,
  ContentChange,
  ContentPart,
  ContentRequest,
  Progress,
  RawToolResult,
  ServerContent,
  ServerFeatures,
  ServerIdentity,
  ToolAnnotations,
  ToolCall,
  ToolDescription,
} from './connection.ts';
export {
  createHost,
  type EarlierHost,
  type Host,
  type HostPorts,
  type HostRole,
} from './create-host.ts';
export type { ElicitAnswer, Elicitor, ElicitQuestion } from './elicitor.ts';
export { catchFaults, describeFault, faultNotice, type OnFault } from './events/catch-faults.ts';
export type { HostEvent, HostEvents } from './events/host-event.ts';
export { Listeners } from './events/listeners.ts';
export {
  type ActiveExecution,
  canExecute,
  type ExecutionRecord,
  type ExecutionTracker,
} from './executor/execution-tracker.ts';
export { logRecord } from './executor/log-record.ts';
export { findParameterMistakes, ParameterChecker } from './executor/parameter-checker.ts';
export { toolNotFound } from './executor/perform-call.ts';
export type { CallState, ExecuteOptions } from './executor/running-call.ts';
export type { ParameterProblem, Schema, SchemaGuard } from './executor/schema-guard.ts';
export type { CountedSession, SessionControl, SessionUsage } from './executor/sessions.ts';
export { typeResult } from './executor/type-result.ts';
export { validateValue } from './executor/validate-value.ts';
export { fixedError } from './fixed-error.ts';
export type { HealthRecords, HealthStore } from './health-store.ts';
export {
  briefFailure,
  HostError,
  type HostErrorCode,
  type HostErrorFacts,
  type HostErrorOptions,
} from './host-error.ts';
export type { LaunchFile, LaunchFiles } from './launch-files.ts';
export type { EarlierRun, NoteStore } from './note-store.ts';
export type { AttachmentStore } from './notes/attachment-store.ts';
export {
  blockTemplate,
  isNamedAbove,
  requestTemplate,
  writtenParameters,
} from './notes/block-template.ts';
export { type BlockChoice, chooseBlocks } from './notes/choose-blocks.ts';
export { createLimiter, type Limiter } from './notes/create-limiter.ts';
export { decideSection, type NotePosition } from './notes/decide-section.ts';
export { blockFailure } from './notes/find-block-error.ts';
export type { BlockEvent, BlockOutcome, NoteRun } from './notes/note-run.ts';
export {
  type ConversationRef,
  NoteSessions,
  type SessionUse,
  sessionOfNote,
} from './notes/note-sessions.ts';
export { parameterLine, plainOrQuoted } from './notes/parameter-line.ts';
export { type NotePlan, planNote } from './notes/plan-note.ts';
export { resultContent } from './notes/result-content.ts';
export { type RunNoteRequest, runNote } from './notes/run-note.ts';
export type { RunNoteOptions, RunNotePorts } from './notes/run-note-ports.ts';
export { type ToolParameter, toolParameters } from './notes/tool-parameters.ts';
export { typedParameters } from './notes/typed-parameters.ts';
export { writtenValues } from './notes/written-values.ts';
export type { Notice, Notifier } from './notifier.ts';
export type { Program, ProgramEnd, ProgramOutput, ProgramRunner } from './program-runner.ts';
export type { ConnectProgress } from './registry/connect-progress.ts';
export type { Connectors } from './registry/connectors.ts';
export {
  brokenServersOf,
  findServer,
  type HostNoteContext,
  noteContextOf,
  unknownServer,
} from './registry/find-server.ts';
export type { LentServer } from './registry/lent-server.ts';
export { defaultRetryPlan, type RetryPlan } from './registry/lifecycle-state.ts';
export {
  idleSnapshot,
  type ServerSnapshot,
  type StartTrust,
} from './registry/server-snapshot.ts';
export type { ConnectionDetails, Servers } from './registry/servers.ts';
export { type ServerTest, type TestStep, testServer } from './registry/test-server.ts';
export type { SampleAnswer, SampleRequest, Sampler } from './sampler.ts';
export type { SecretScope, SecretScopes } from './secret-scopes.ts';
export type { SecretStore } from './secret-store.ts';
export {
  type NewServer,
  newServer,
  withChangedServer,
  withoutServer,
  withServer,
} from './settings/change-servers.ts';
export { type ChangedSettings, changeSettings } from './settings/change-settings.ts';
export { checkEntry } from './settings/check-entry.ts';
export { combineSecretStores } from './settings/combine-secret-stores.ts';
export { connectExpanded } from './settings/connect-expanded.ts';
export { describeLaunch } from './settings/describe-launch.ts';
export { editJson, type JsonEdit } from './settings/edit-json.ts';
export type { SecretReader } from './settings/expand-references.ts';
export { expandReferences, type ReferenceSources } from './settings/expand-references.ts';
export { findVault, type Vault } from './settings/find-vault.ts';
export { type ForeignFile, foreignConfigFiles } from './settings/foreign/foreign-config-files.ts';
export {
  type ForeignProgramName,
  foreignPrograms,
  isForeignProgram,
} from './settings/foreign/foreign-programs.ts';
export type {
  ForeignConfig,
  ForeignOrigin,
  ForeignServer,
  ForeignSource,
  ForeignTarget,
} from './settings/foreign/foreign-server.ts';
export { readForeignConfig } from './settings/foreign/read-foreign-config.ts';
export {
  createServerDiscovery,
  type DiscoveredServer,
  type ForeignFileReader,
  type ServerDiscovery,
} from './settings/foreign/server-discovery.ts';
export { launchFingerprint } from './settings/launch-fingerprint.ts';
export { mapTexts } from './settings/map-texts.ts';
export { namedReferences } from './settings/named-references.ts';
export { type OfferedSecrets, offerSecrets } from './settings/offer-secrets.ts';
export { openToolHints, type ToolHints } from './settings/open-tool-hints.ts';
export {
  openTrust,
  type ShownLaunch,
  type Trust,
  type TrustVerdict,
} from './settings/open-trust.ts';
export { parseJson } from './settings/parse-json.ts';
export type { Platform } from './settings/platform.ts';
export { quoteWord } from './settings/quote-word.ts';
export { readSettings } from './settings/read-settings.ts';
export { relativeArgument } from './settings/relative-argument.ts';
export { rememberSecrets } from './settings/remember-secrets.ts';
export { sameEntry } from './settings/same-entry.ts';
export { suggestSecretName } from './settings/secret-name.ts';
export { findClearSecrets, namedSecrets } from './settings/secret-names.ts';
export { findNameMistake, suggestServerName } from './settings/server-name.ts';
export { approvalRules } from './settings/server-schema.ts';
export { describeProblem, type SettingsProblem } from './settings/settings-problem.ts';
export { SettingsText } from './settings/settings-text.ts';
export {
  splitScheme,
  type TakenSecret,
  takeSecrets,
  withSecretValues,
} from './settings/take-secrets.ts';
export { describeUnmatched, documentPathsOf, unmatchedPaths } from './settings/unmatched-paths.ts';
export { type UserFolders, userFolders } from './settings/user-folders.ts';
export { holdsSettings, withoutSettings } from './settings/without-settings.ts';
export type {
  ApprovalRule,
  AssistantConfig,
  DockerConfig,
  LocalConfig,
  MailSettings,
  RemoteConfig,
  SandboxConfig,
  SandboxMount,
  SectionBinding,
  ServerConfig,
  Settings,
} from './settings.ts';
export type { LoadedSettings, SettingsStore } from './settings-store.ts';
export { contentText } from './text/content-text.ts';
export { isSecretName } from './text/is-secret-name.ts';
export { failureText, lastOutputOf } from './text/last-output.ts';
export { foreignLines, foreignName, oneLine, quoted } from './text/one-line.ts';
export { hashJson, sortedJson } from './text/sorted-json.ts';
export { webAddress } from './text/web-address.ts';
export { systemClock } from './time/system-clock.ts';
export type {
  Attachment,
  CallOutcome,
  CallSource,
  CallStatus,
  ErrorInfo,
  ModelRound,
  TokenCount,
  ToolExecutionResult,
  ToolInvocationRequest,
} from './tool-invocation.ts';
export { type AITool, type AIToolContext, openToolContext } from './tools/ai-tool-context.ts';
export { isRepeatableTool } from './tools/is-repeatable-tool.ts';
export type { KnownServer, OfferedTool } from './tools/offered-tools.ts';
export {
  knownServers,
  knownTools,
  offeredName,
  offeredPrefix,
  offeredSchema,
} from './tools/offered-tools.ts';
export { rankTools } from './tools/rank-tools.ts';
export { toolScope } from './tools/tool-scope.ts';
export type { Agreement, TrustRecord, TrustStore } from './trust-store.ts';
