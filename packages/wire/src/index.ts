export { onAbort, raceSignal } from './abort.ts';
export {
  type ClientEntry,
  type McpClientName,
  mcpClientNames,
  takesAddresses,
  writeClientConfig,
} from './client-config.ts';
export type { Era } from './era.ts';
export { isRecord, type JsonObject } from './is-record.ts';
export { endOfString, jsonExcess, maxLevels, maxValues } from './json-excess.ts';
export type {
  Incoming,
  InvalidMessage,
  RequestId,
  RpcError,
  RpcNotification,
  RpcRequest,
  RpcResponse,
} from './json-rpc.ts';
export { errorLine, notificationLine, requestLine, resultLine, rpcCode } from './json-rpc.ts';
export type { ParamHeader } from './param-headers.ts';
export {
  decodeHeaderValue,
  encodeHeaderValue,
  findParamHeaders,
  paramHeaders,
  wrongParamHeader,
} from './param-headers.ts';
export { parseMessages } from './parse-messages.ts';
export { readError, readMessage } from './read-message.ts';
export { retryAfter } from './retry-after.ts';
