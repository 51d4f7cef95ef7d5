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
