import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RpcNotification, type RpcRequest, rpcCode } from '@errand/wire';
import { unsupportedVersion } from './check-modern-request.ts';
import type { Exchange } from './exchange.ts';
import type { Answer, Gateway } from './gateway.ts';
import { type HttpReply, sendError } from './http-reply.ts';
import type { HttpSession, HttpSessions } from './http-sessions.ts';
import { legacyVersions } from './protocol.ts';
import type { ClientIdentity } from './replica/gateway-client.ts';
import type { RunningRequests } from './running-requests.ts';

/** One HTTP request, and what the gateway has beside it. */
export interface HttpExchange {
  readonly gateway: Gateway;
  readonly sessions: HttpSessions;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The query of its address. */
  readonly query: string;
  /** The client whose own token it carries. */
  readonly client: ClientIdentity | undefined;
  /** The requests under way that belong to no session. */
  readonly running: RunningRequests;
  /** Begins a reply that is kept alive until it ends; without a session its connection is the client. */
  reply(onGone: () => void, client?: HttpSession): HttpReply;
}

/** Does something with the session that the headers name, or says why there is none. */
export function withSession(
  { request, response, sessions, client }: HttpExchange,
  work: (session: HttpSession) => Promise<void> | void,
): Promise<void> | void {
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !legacyVersions.includes(String(version))) {
    return sendError(response, 400, unsupportedVersion(String(version)));
  }
  const id = request.headers['mcp-session-id'];
  if (id === undefined) {
    const message = 'The header Mcp-Session-Id is missing. Begin with "initialize".';
    return sendError(response, 400, { code: rpcCode.invalidRequest, message });
  }
  const session = sessions.find(String(id), client);
  if (session === undefined) {
    const message = 'This session has ended. Begin a new one with "initialize".';
    return sendError(response, 404, { code: rpcCode.invalidRequest, message });
  }
  return work(session);
}

/** Answers a request of the older era, which its session can cancel. */
export function answerInSession(
  { gateway, query }: HttpExchange,
  session: HttpSession,
  request: RpcRequest,
  controller: AbortController,
  reply: HttpReply,
): Promise<Answer | undefined> {
  const { signal } = controller;
  const { capabilities, questions, watched } = session;
  const exchange: Exchange = {
    era: 'legacy',
    sessionId: session.name,
    query,
    signal,
    capabilities,
    watched,
    notify: reply.notify,
    ask: (method, params, wanted) =>
      questions.ask(method, params, reply.ask, AbortSignal.any([wanted, signal])),
  };
  return session.running.run(request.id, controller, () => gateway.answer(request, exchange));
}

/** Takes a notification of the older era. */
export function takeNotification(session: HttpSession, { method, params }: RpcNotification): void {
  if (method === 'notifications/cancelled') session.running.cancel(params.requestId);
}
