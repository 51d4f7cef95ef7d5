export {
  google,
  googleAddress,
  type OAuthClient,
  openTokenFile,
  readGoogleClient,
  refreshTokens,
  type TokenStore,
  type Tokens,
} from '@errand/oauth';
export type { ClientSession } from './client-session.ts';
export {
  defineServer,
  type HealthContribution,
  type ServerDefinition,
  type ServerParts,
  type StartContext,
} from './define-server.ts';
export { defineTool, type ToolContext, type ToolDefinition } from './define-tool.ts';
export type { Logger } from './logger.ts';
export { McpError, type McpErrorCode } from './mcp-error.ts';
export { runServer } from './run-server.ts';
export { type RunningServer, type ServeOptions, serve } from './serve.ts';
export {
  type AccessTokens,
  createAccessTokens,
  type TokenStatus,
} from './service-client/access-tokens.ts';
export type { Clock } from './service-client/clock.ts';
export { collectPages, type PagePosition } from './service-client/collect-pages.ts';
export { createRequestSlots } from './service-client/request-slots.ts';
export type { ServiceResponse } from './service-client/send-once.ts';
export {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
  type ServiceRequest,
} from './service-client/service-client.ts';
export { ServiceError, type ServiceErrorKind } from './service-client/service-error.ts';
export { createTokenBucket, type TokenBucket } from './service-client/token-bucket.ts';
export { StartError } from './start-error.ts';
