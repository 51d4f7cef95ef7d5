export type { OfferedTool } from '@errand/host';
export { Gateway } from './gateway.ts';
export { GatewayHandler, type HandlerOptions } from './gateway-handler.ts';
export type { AbsentServer, GatewayCallOptions, GatewayHost } from './gateway-host.ts';
export { gatewayHostFrom } from './gateway-host-from.ts';
export { type ListenOptions, listenOnHttp } from './listen-on-http.ts';
export { noteScope } from './note-scope.ts';
export type { ScopeOf, ToolFilter } from './scope.ts';
export { type StdioEnd, serveOnStdio } from './serve-on-stdio.ts';
