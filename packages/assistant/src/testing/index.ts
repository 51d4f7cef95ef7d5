export type { ModelCall, ModelFailure, ModelReply, ModelStep } from './model-reply.ts';
export { type ModelRequest, ModelServer, type Script } from './model-server.ts';
