export { connectOverLines } from './connect-over-lines.ts';
export type { Era, HostSide } from './host-side.ts';
export type { LinePipe } from './line-pipe.ts';
export { LocalConnector, type LocalConnectorOptions } from './local-connector.ts';
