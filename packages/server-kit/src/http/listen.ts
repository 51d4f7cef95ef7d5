import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer, isPortTaken, listen as listenOn, urlAt } from '@errand/wire/node';
import type { TransportType } from '../client-session.ts';
import type { CommandLine } from '../command-line.ts';
import type { LiveServer } from '../live-server.ts';
import type { ServedTransport } from '../served-transport.ts';
import { StartError } from '../start-error.ts';
import type { AccessPolicy } from './access-policy.ts';
import { checkAccess } from './access-policy.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { replyError, replyJson } from './reply.ts';
import { SseEndpoint, ssePaths } from './sse-endpoint.ts';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly types: readonly ('http' | 'sse')[];
  readonly policy: AccessPolicy;
}

const mcpPath = '/mcp';
const healthPath = '/health';

/** How long answers that are already written may take to leave, in milliseconds. */
const graceMs = 500;

/** Serves every port that was asked for; transports that name the same port share it. */
export async function listenAll(
  live: LiveServer,
  ports: CommandLine['ports'],
  host: string,
  policy: AccessPolicy,
): Promise<readonly ServedTransport[]> {
  const shared = Map.groupBy(ports, ({ type, port }) => (port === 0 ? type : port));
  const opened: ServedTransport[] = [];
  try {
    for (const group of shared.values()) {
      const [first] = group;
      const types = group.map(({ type }) => type);
      opened.push(...(await listen(live, { host, port: first?.port ?? 0, types, policy })));
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map((transport) => transport.close()));
    throw error;
  }
}

/** Serves one or both HTTP transports, and `/health`, on one port. */
async function listen(
  live: LiveServer,
  { host, port, types, policy }: ListenOptions,
): Promise<readonly ServedTransport[]> {
  const http = types.includes('http') ? new HttpEndpoint(live) : undefined;
  const sse = types.includes('sse') ? new SseEndpoint(live) : undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = urlOf(request);
    const refusal = checkAccess(request.headers, policy);
    if (url?.pathname === healthPath && request.method === 'GET') {
      await replyHealth(live, response, refusal === undefined);
    } else if (refusal !== undefined)
      replyError(response, refusal.status, refusal.message, refusal);
    else if (url?.pathname === mcpPath && http !== undefined) await http.serve(request, response);
    else if (url !== undefined && sse !== undefined && isSsePath(url.pathname)) {
      await sse.serve(request, response, url);
    } else replyError(response, 404, `Nothing is here. MCP is at ${pathsOf(types).join(' and ')}.`);
  };
  const server = createNodeServer(live, serve);
  const address = await bind(server, host, port, (error) => {
    for (const type of types) live.shared.onUnserved(type, error);
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeServer(server, graceMs, () => Promise.all([http?.close(), sse?.close()]));
    return closing;
  };
  return types.map((type) => served(type, server, address, close));
}

function createNodeServer(
  live: LiveServer,
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const { headersTimeout, requestTimeout, idleTimeout, maxClients } = live.limits;
  // An import would be at the top of the bundle, and load fetch and all that comes with it into
  // every server that speaks no HTTP.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer({
    headersTimeout,
    requestTimeout: Math.max(requestTimeout, headersTimeout),
    keepAliveTimeout: idleTimeout,
    connectionsCheckingInterval: Math.min(1_000, headersTimeout / 2),
  });
  // Each client has a stream and a few requests at once.
  server.maxConnections = maxClients * 8;
  server.on('request', (request, response) => {
    serve(request, response).catch((error: unknown) => {
      live.log.error({ err: error, path: request.url }, 'a request failed');
      if (response.headersSent) response.destroy();
      else replyError(response, 500, 'The server failed. Its log has the reason.');
    });
  });
  return server;
}

/** Answers `/health` for everybody, such as a container runtime; only authorised clients get details. */
async function replyHealth(live: LiveServer, response: ServerResponse, isClient: boolean) {
  const { report } = await live.health();
  const status = report.status === 'healthy' ? 200 : 503;
  replyJson(response, status, isClient ? report : { status: report.status });
}

function bind(
  server: Server,
  host: string,
  port: number,
  onError: (error: Error) => void,
): Promise<AddressInfo> {
  return listenOn(server, { host, port }, onError).catch((error: unknown) => {
    throw new StartError('address_unavailable', whyNot(error, host, port), { cause: error });
  });
}

function whyNot(error: unknown, host: string, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (isPortTaken(error)) return `Port ${port} is already in use. Choose another one.`;
  if (code === 'EACCES') return `Port ${port} needs more rights. Choose one above 1023.`;
  return `Cannot listen on ${host} port ${port}: ${message}.`;
}

function served(
  type: TransportType,
  server: Server,
  address: AddressInfo,
  close: () => Promise<void>,
): ServedTransport {
  const [path = ''] = pathsOf([type]);
  return {
    type,
    configuration: { url: urlAt(address, path) },
    close,
    get isActive() {
      return server.listening;
    },
  };
}

function pathsOf(types: readonly TransportType[]): readonly string[] {
  return types.map((type) => (type === 'sse' ? ssePaths.stream : mcpPath));
}

function isSsePath(path: string): boolean {
  return path === ssePaths.stream || path === ssePaths.messages;
}

function urlOf(request: IncomingMessage): URL | undefined {
  return URL.parse(request.url ?? '/', 'http://localhost') ?? undefined;
}
