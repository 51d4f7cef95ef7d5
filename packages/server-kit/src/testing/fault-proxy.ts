import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { closeServer, listen, readBody, urlAt } from '@errand/wire/node';

/** What goes wrong with a request on its way to a service. */
export type Fault =
  /** The service is not asked; the client gets this answer. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The service carries the request out; the client gets this answer instead of its own. */
  | {
      readonly kind: 'answer-after';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The connection is cut before the service hears of the request. */
  | { readonly kind: 'cut-before' }
  /** The service carries the request out, and the connection is cut before the answer. */
  | { readonly kind: 'cut-after' }
  /** The connection is cut in the middle of the answer. */
  | { readonly kind: 'cut-answer' }
  /** The request waits so long on its way there. */
  | { readonly kind: 'hold-before'; readonly until: Promise<unknown> }
  /** The service carries the request out, and the answer waits so long on its way back. */
  | { readonly kind: 'hold-after'; readonly until: Promise<unknown> }
  /** The service gets the request twice; the client gets the first answer. */
  | { readonly kind: 'duplicate' };

/** Which requests a fault happens to: all that fit what is given. */
interface FaultMatch {
  readonly method?: string;
  /** The path without the query, or a pattern for it. */
  readonly path?: string | RegExp;
  /** How often it happens; once by default. */
  readonly times?: number;
}

interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP server on loopback between a client and a service, which breaks what it is told to break. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  /** Every request that a client has sent, also those that never reached the service. */
  readonly requests: readonly SeenRequest[];
  /** Every request that the service was asked, in the order of asking. */
  readonly forwarded: readonly SeenRequest[];
  /** Plans a fault; resolves with the first request that it happens to, before it happens. */
  fault(match: FaultMatch, fault: Fault): Promise<SeenRequest>;
  /** Forgets faults that have not happened yet. */
  heal(): void;
}

interface PlannedFault {
  readonly match: FaultMatch;
  readonly fault: Fault;
  readonly onHit: (seen: SeenRequest) => void;
  left: number;
}

const maxBody = 64 * 1024 * 1024;

/** Starts a proxy for the service at an address of this computer. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const requests: SeenRequest[] = [];
  const forwarded: SeenRequest[] = [];
  const planned: PlannedFault[] = [];
  const forward = (seen: SeenRequest, bytes: Buffer) => {
    forwarded.push(seen);
    return ask(target, seen, bytes);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(incoming, maxBody);
    if (body.kind !== 'read') return void response.destroy();
    const { method = 'GET', url: path = '/', headers } = incoming;
    const seen = { method, path, headers, body: body.bytes.toString() };
    requests.push(seen);
    const hit = planned.find(({ match, left }) => left > 0 && fits(match, seen));
    if (hit !== undefined) {
      hit.left -= 1;
      hit.onHit(seen);
    }
    const fault = hit?.fault;
    if (fault?.kind === 'hold-before') await fault.until;
    if (fault?.kind === 'cut-before') return void incoming.socket.destroy();
    if (fault?.kind === 'answer') return void reply(response, fault);
    const answer = await forward(seen, body.bytes);
    if (fault?.kind === 'duplicate') await forward(seen, body.bytes);
    if (fault?.kind === 'hold-after') await fault.until;
    if (fault?.kind === 'cut-after') return void incoming.socket.destroy();
    if (fault?.kind === 'answer-after') return void reply(response, fault);
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.bytes.length });
    if (fault?.kind !== 'cut-answer') return void response.end(answer.bytes);
    const half = answer.bytes.subarray(0, answer.bytes.length / 2);
    response.write(half, () => incoming.socket.destroy());
  };
  const address = await listen(server, { port: 0, host: '127.0.0.1' }, () => {});
  return {
    url: urlAt(address, ''),
    requests,
    forwarded,
    fault: (match, fault) =>
      new Promise((onHit) => planned.push({ match, fault, onHit, left: match.times ?? 1 })),
    heal: () => void planned.splice(0),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function fits({ method, path }: FaultMatch, seen: SeenRequest): boolean {
  const [pathname = ''] = seen.path.split('?');
  if (method !== undefined && method !== seen.method) return false;
  return path === undefined || (typeof path === 'string' ? path === pathname : path.test(pathname));
}

function reply(
  response: ServerResponse,
  {
    status,
    headers = {},
    body = '',
  }: { status: number; headers?: Record<string, string>; body?: string },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

function ask(
  target: string,
  { method, path, headers }: SeenRequest,
  bytes: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const {
      host: _host,
      connection: _connection,
      'transfer-encoding': _encoding,
      ...kept
    } = headers;
    const asking = request(new URL(path, target), {
      method,
      headers: { ...kept, 'content-length': String(bytes.length) },
      agent: false,
    });
    asking.once('error', reject);
    asking.once('response', async (incoming) => {
      const body = await readBody(incoming, maxBody);
      if (body.kind !== 'read') return reject(new Error('The service broke off.'));
      const {
        connection: _c,
        'transfer-encoding': _t,
        'keep-alive': _k,
        ...given
      } = incoming.headers;
      resolve({ status: incoming.statusCode ?? 500, headers: given, bytes: body.bytes });
    });
    asking.end(bytes);
  });
}
