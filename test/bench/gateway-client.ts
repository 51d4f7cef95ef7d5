import { spawn } from 'node:child_process';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

/** A client without an SDK, so that what is measured is the gateway. */
export interface BenchClient extends Disposable {
  send(method: string, params: object): Promise<Record<string, unknown>>;
}

type Waiting = Map<number, (message: Record<string, unknown>) => void>;

const clientInfo = { name: 'bench', version: '1.0.0' };
const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };

/** Connects to Streamable HTTP, with the older era's handshake, which all peers understand. */
export async function connectHttp(url: string, token?: string): Promise<BenchClient> {
  const agent = new Agent({ keepAlive: true });
  let session: string | undefined;
  let last = 0;
  const send = async (method: string, params: object, isNotice = false) => {
    last += 1;
    const id = last;
    const body = JSON.stringify({ jsonrpc: '2.0', ...(isNotice ? {} : { id }), method, params });
    const response = await post(url, agent, body, {
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    });
    session ??= response.headers['mcp-session-id'] as string | undefined;
    if (response.headers['content-type']?.startsWith('text/event-stream')) {
      const answer = await new Promise<Record<string, unknown>>((resolve, reject) => {
        const waiting: Waiting = new Map([[id, resolve]]);
        readEvents(response, (_, data) => deliver(waiting, data));
        response.on('close', () => reject(new Error('The stream ended without an answer.')));
      });
      response.resume();
      return answer;
    }
    const text = await readText(response);
    if (Number(response.statusCode) >= 400) throw new Error(`${response.statusCode}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
  await send('initialize', handshake);
  await send('notifications/initialized', {}, true);
  return { send, [Symbol.dispose]: () => agent.destroy() };
}

/** Connects to the transport before Streamable HTTP: one stream for all answers. */
export async function connectSse(url: string): Promise<BenchClient> {
  const agent = new Agent({ keepAlive: true });
  const waiting: Waiting = new Map();
  let last = 0;
  const stream = await get(url, agent);
  if (stream.statusCode !== 200) throw new Error(`${stream.statusCode} instead of a stream`);
  const endpoint = await new Promise<string>((resolve, reject) => {
    stream.on('close', () => reject(new Error('The stream ended without an address.')));
    readEvents(stream, (name, data) => {
      if (name === 'endpoint') resolve(new URL(data, url).href);
      else deliver(waiting, data);
    });
  });
  const send = async (method: string, params: object, isNotice = false) => {
    last += 1;
    const id = last;
    const body = JSON.stringify({ jsonrpc: '2.0', ...(isNotice ? {} : { id }), method, params });
    const answer = isNotice
      ? Promise.resolve({})
      : new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    const response = await post(endpoint, agent, body, {});
    response.resume();
    return answer;
  };
  stream.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'The stream ended.' } });
  });
  await send('initialize', handshake);
  await send('notifications/initialized', {}, true);
  return {
    send,
    [Symbol.dispose]: () => {
      stream.destroy();
      agent.destroy();
    },
  };
}

function deliver(waiting: Waiting, data: string): void {
  const message = JSON.parse(data) as Record<string, unknown>;
  waiting.get(Number(message.id))?.(message);
  waiting.delete(Number(message.id));
}

function post(url: string, agent: Agent, body: string, headers: Record<string, string>) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const all = { 'content-type': 'application/json', 'content-length': length, ...headers };
    request(url, { method: 'POST', agent, headers: all }, resolve).on('error', reject).end(body);
  });
}

function get(url: string, agent: Agent) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, headers: { accept: 'text/event-stream' } }, resolve)
      .on('error', reject)
      .end();
  });
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    response.on('error', reject);
  });
}

/** Reads server-sent events without looking at large ones again with every chunk. */
function readEvents(stream: IncomingMessage, take: (name: string, data: string) => void): void {
  let pending: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    pending.push(chunk.replaceAll('\r', ''));
    const isSplit = chunk.startsWith('\n') && pending.at(-2)?.endsWith('\n');
    if (!chunk.includes('\n\n') && !chunk.includes('\r\n\r\n') && !isSplit) return;
    const events = pending.join('').split('\n\n');
    pending = [events.pop() ?? ''];
    for (const event of events) {
      const lines = event.split('\n');
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
      const name = lines.find((line) => line.startsWith('event:'))?.slice(6);
      if (data.length > 0) take(name?.trim() ?? 'message', data.join('\n').trim());
    }
  });
}

/** Speaks to a server over its pipes, with no gateway between. */
export async function connectPipe(command: string, args: readonly string[]): Promise<BenchClient> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting: Waiting = new Map();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => deliver(waiting, line));
  const send = (method: string, params: object) => {
    last += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    const id = last;
    return new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
  };
  await send('initialize', handshake);
  return { send, [Symbol.dispose]: () => child.stdin.end() };
}
