export type { ModelCall, ModelFailure, ModelReply, ModelStep } from './model-reply.ts';
export { ModelServer, type Script } from './model-server.ts';
