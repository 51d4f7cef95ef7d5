export type { Clock } from './clock.ts';
export type {
  CallOptions,
  Connection,
  ConnectOptions,
  Connector,
  ConnectStep,
  ContentPart,
  Progress,
  RawToolResult,
  ServerIdentity,
  ToolAnnotations,
  ToolCall,
  ToolDescription,
} from './connection.ts';
export { HostError, type HostErrorCode, type HostErrorFacts } from './host-error.ts';
export type { Notice, Notifier } from './notifier.ts';
export type { SecretStore } from './secret-store.ts';
export type {
  DockerConfig,
  DockerMount,
  LocalConfig,
  RemoteConfig,
  SectionBinding,
  ServerConfig,
  Settings,
} from './settings.ts';
export type { SettingsStore } from './settings-store.ts';
export type {
  CallOutcome,
  CallSource,
  CallStatus,
  ErrorInfo,
  ToolExecutionResult,
  ToolInvocationRequest,
} from './tool-invocation.ts';
