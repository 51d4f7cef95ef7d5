import { systemClock } from '@errand/host';
import type { MemoryBehaviour } from '@errand/host/testing';
import { localServer, type MemoryHost, memoryHost } from '@errand/host/testing';
import { type Answer, Gateway } from '../gateway.ts';
import { gatewayHostFrom } from '../gateway-host-from.ts';
import { type ListenOptions, listenOnHttp } from '../listen-on-http.ts';
import type { ScopeOf } from '../scope.ts';

/** A gateway in this process before servers in memory, and plain HTTP to reach it. */
export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly memory: MemoryHost;
  readonly url: string;
  /** Posts a body as it is, with the headers of a well-behaved client unless changed. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Begins a session of the older era and returns the header that names it. */
  initialize(protocolVersion?: string): Promise<{ readonly 'mcp-session-id': string }>;
}

interface TestGatewayOptions extends ListenOptions {
  readonly scope?: ScopeOf;
  readonly patienceMs?: number;
}

export async function openTestGateway(
  servers: Readonly<Record<string, MemoryBehaviour>> = { a: {} },
  { scope, patienceMs, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const names = Object.keys(servers);
  const entries = names.map((name) => localServer(name));
  const memory = await memoryHost(entries, {}, { clock: systemClock });
  const { host, connector } = memory;
  for (const name of names) connector.behaviours.set(name, servers[name] ?? {});
  host.servers.start();
  const signal = AbortSignal.timeout(5_000);
  await Promise.all(names.map((name) => host.servers.tools(name, signal)));
  const info = { name: 'errand', version: '0.1.0' };
  const gatewayHost = gatewayHostFrom(host, patienceMs === undefined ? {} : { patienceMs });
  const gateway = new Gateway(gatewayHost, { info, ...(scope && { scope }) });
  const listener = await listenOnHttp(gateway, options);
  const { url } = listener;
  const post: TestGateway['post'] = (body, headers = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    gateway,
    memory,
    url,
    post,
    initialize: async (protocolVersion = '2025-11-25') => {
      const clientInfo = { name: 'test', version: '1.0.0' };
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const response = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
      return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
    },
    [Symbol.asyncDispose]: async () => {
      gateway[Symbol.dispose]();
      await listener[Symbol.asyncDispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}

/** A request of the newer era with everything it must carry, and its headers. */
export function modernRequest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  change: Readonly<Record<string, unknown>> = {},
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...change,
  };
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
  };
}

/** Asks a gateway something without a wire. */
export async function ask(
  { gateway }: Pick<TestGateway, 'gateway'>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  era: 'legacy' | 'modern' = 'legacy',
  query = '',
): Promise<Record<string, unknown>> {
  const { signal } = new AbortController();
  const exchange = {
    era,
    sessionId: 'gateway:test',
    query,
    signal,
    capabilities: {},
    notify: () => {},
  };
  const answer = await gateway.answer({ kind: 'request', id: 1, method, params }, exchange);
  return JSON.parse((answer as Answer).line);
}

/** The tools that a gateway lists. */
export async function listTools(
  test: TestGateway,
  era: 'legacy' | 'modern',
  query = '',
): Promise<unknown[]> {
  const { result } = await ask(test, 'tools/list', {}, era, query);
  return (result as { tools: unknown[] }).tools;
}
