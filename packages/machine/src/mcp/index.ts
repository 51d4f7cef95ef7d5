export type { Authorizer, RefusedRequest } from './http/authorizer.ts';
export { ExternalConnector, type ExternalConnectorOptions } from './http/external-connector.ts';
export { LocalConnector, type LocalConnectorOptions } from './local-connector.ts';
export type { McpClientContext } from './mcp-client-context.ts';
export { logIn } from './oauth/log-in.ts';
export { logOut } from './oauth/log-out.ts';
export type { LoginClient } from './oauth/login-provider.ts';
export { oauthAuthorizers } from './oauth/oauth-authorizer.ts';
