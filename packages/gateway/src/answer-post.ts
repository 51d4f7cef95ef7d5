import {
  type JsonObject,
  onAbort,
  type RpcNotification,
  type RpcRequest,
  rpcCode,
} from '@errand/wire';
import { type IncomingText, sendStatus } from '@errand/wire/node';
import { answerBatch, batchError } from './answer-batch.ts';
import { claimsVersion, modernRequestError } from './check-modern-request.ts';
import {
  answerInSession,
  type HttpExchange,
  takeNotification,
  withSession,
} from './http-exchange.ts';
import { sendError } from './http-reply.ts';
import type { HttpSession } from './http-sessions.ts';
import { agreedVersion, metaKey, modernVersions, sessionName } from './protocol.ts';
import { clientSession } from './replica/gateway-client.ts';

/** Answers a posted message in the era that it is written in. */
export function answerPost(http: HttpExchange, message: IncomingText): Promise<void> | void {
  const { response } = http;
  if (message.kind === 'batch') {
    return withSession(http, (session) => answerArray(http, session, message.batch));
  }
  if (message.kind === 'invalid') return sendError(response, 400, message.error, message.id);
  if (message.kind === 'response') {
    return withSession(http, (session) => {
      session.questions.take(message);
      sendStatus(response, 202);
    });
  }
  if (isModern(http, message)) {
    if (message.kind === 'request') return answerModern(http, message);
    // Over HTTP the newer era cancels by closing the stream; there is nothing to tell.
    return sendStatus(response, 202);
  }
  if (message.kind === 'notification') {
    return withSession(http, (session) => {
      takeNotification(session, message);
      sendStatus(response, 202);
    });
  }
  if (message.method === 'initialize') return initialize(http, message);
  return withSession(http, (session) => answerLegacy(http, session, message));
}

function isModern({ request }: HttpExchange, { method, params }: RpcRequest | RpcNotification) {
  if (claimsVersion(params)) return true;
  return method !== 'initialize' && namesModernVersion(request.headers['mcp-protocol-version']);
}

async function answerModern(http: HttpExchange, request: RpcRequest): Promise<void> {
  const { gateway, query, client } = http;
  const schemaOf = (tool: string) => gateway.inputSchema(tool);
  const error = modernRequestError(request, http.request.headers, schemaOf);
  if (error !== undefined) return sendError(http.response, 400, error, request.id);
  const controller = new AbortController();
  const reply = http.reply(() => controller.abort());
  const meta = request.params._meta as JsonObject;
  const answer = await http.running.run(request.id, controller, () =>
    gateway.answer(request, {
      era: 'modern',
      sessionId:
        client === undefined ? sessionName(meta[metaKey.clientInfo]) : clientSession(client.name),
      capabilities: meta[metaKey.clientCapabilities] as JsonObject,
      query,
      signal: controller.signal,
      notify: reply.notify,
    }),
  );
  reply.end(answer?.line, answer?.code === rpcCode.methodNotFound ? 404 : 200);
}

async function answerLegacy(
  http: HttpExchange,
  session: HttpSession,
  request: RpcRequest,
): Promise<void> {
  const controller = new AbortController();
  const reply = http.reply(() => controller.abort(), session);
  const answer = await answerInSession(http, session, request, controller, reply);
  reply.end(answer?.line);
}

async function answerArray(
  http: HttpExchange,
  session: HttpSession,
  batch: readonly unknown[],
): Promise<void> {
  const error = batchError(batch, session.protocolVersion);
  if (error !== undefined) return sendError(http.response, 400, error);
  const gone = new AbortController();
  const reply = http.reply(() => gone.abort(), session);
  const line = await answerBatch(batch, async (message) => {
    if (message.kind === 'notification') takeNotification(session, message);
    if (message.kind === 'response') session.questions.take(message);
    if (message.kind !== 'request') return undefined;
    const controller = new AbortController();
    onAbort(gone.signal, () => controller.abort());
    return (await answerInSession(http, session, message, controller, reply))?.line;
  });
  reply.end(line);
}

async function initialize(http: HttpExchange, message: RpcRequest): Promise<void> {
  const { sessions, request, response } = http;
  if (namesModernVersion(request.headers['mcp-protocol-version'])) {
    const problem = 'Header mismatch: "initialize" belongs to older versions of the protocol.';
    return sendError(response, 400, { code: rpcCode.headerMismatch, message: problem }, message.id);
  }
  const version = agreedVersion(message.params.protocolVersion);
  const session = sessions.open(version, message.params, http.client);
  if (session === undefined) {
    const problem = 'Too many clients are active at once. Close one of them, or try again later.';
    return sendError(response, 503, { code: rpcCode.internalError, message: problem }, message.id);
  }
  const reply = http.reply(() => sessions.close(session), session);
  const answer = await answerInSession(http, session, message, new AbortController(), reply);
  if (answer?.code === undefined)
    return reply.end(answer?.line, 200, { 'Mcp-Session-Id': session.id });
  sessions.close(session);
  reply.end(answer.line);
}

function namesModernVersion(header: string | readonly string[] | undefined): boolean {
  return modernVersions.includes(String(header));
}
