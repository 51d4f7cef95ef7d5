export { connectOverLines } from './connect-over-lines.ts';
export type { Era, HostSide } from './host-side.ts';
export type { Authorizer, RefusedRequest } from './http/authorizer.ts';
export { connectOverHttp, type HttpEndpoint } from './http/connect-over-http.ts';
export { ExternalConnector, type ExternalConnectorOptions } from './http/external-connector.ts';
export type { LinePipe } from './line-pipe.ts';
export { LocalConnector, type LocalConnectorOptions } from './local-connector.ts';
