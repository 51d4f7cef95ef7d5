export {
  bearerToken,
  hostnameOf,
  isAllowedOrigin,
  isLoopback,
  isLoopbackName,
  tokenCheck,
} from './check-access.ts';
export { EventStream, eventStreamHeaders, formatEvent, keepAliveComment } from './event-stream.ts';
export { LineSplitter, type LongLine } from './line-splitter.ts';
export { FullPipe, LineWriter, type UnwrittenLine } from './line-writer.ts';
export { closeServer, isPortTaken, listen, urlAt } from './listen.ts';
export { accepts, isJsonType } from './media-types.ts';
export { ownCommand } from './own-command.ts';
export { type IncomingText, parseJson, readText } from './parse-json.ts';
export { readBody } from './read-body.ts';
export { type ReplyHeaders, refuseBody, sendJson, sendStatus } from './send-reply.ts';
