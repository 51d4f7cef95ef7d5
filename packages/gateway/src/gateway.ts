import { HostError, type Notifier } from '@errand/host';
import { type Era, errorLine, type RpcRequest, resultLine, rpcCode } from '@errand/wire';
import { callTool } from './call-tool.ts';
import { ContentCatalog } from './content-catalog.ts';
import { contentMethods } from './content-methods.ts';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import type { GatewayHost } from './gateway-host.ts';
import { listen } from './listen.ts';
import {
  agreedVersion,
  type ChangingList,
  type Implementation,
  metaKey,
  modernVersions,
} from './protocol.ts';
import { ResourceSubscriptions } from './resource-subscriptions.ts';
import { filterFor, type ScopeOf } from './scope.ts';
import { callSearchTool, isSearchCall, searchTools } from './search-tools.ts';
import { shutdown } from './shutdown.ts';
import { SuspendedCalls } from './suspended-calls.ts';
import { ToolCatalog } from './tool-catalog.ts';

interface GatewayOptions {
  /** Who the gateway says it is. */
  readonly info: Implementation;
  /** Limits what clients whose address names a note are offered. */
  readonly scope?: ScopeOf;
  /** Lists three tools that find, describe and call all others, in their place. */
  readonly search?: boolean;
  /** Receives notices about clients that misbehave. */
  readonly notifier?: Notifier;
}

/** A response on its way out; the code is there when it is an error. */
export interface Answer {
  readonly line: string;
  readonly code?: number;
}

type Method = (request: RpcRequest, exchange: Exchange) => Promise<Reply> | Reply;

const searchList = JSON.stringify(searchTools);

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};

/** All tools, resources and prompts of a host as one MCP server, whatever the wire. */
export class Gateway implements Disposable {
  readonly notifier: Notifier;
  readonly #host: GatewayHost;
  readonly #info: Implementation;
  readonly #scope: ScopeOf | undefined;
  readonly #search: boolean;
  readonly #catalog: ToolCatalog;
  readonly #held: SuspendedCalls;
  readonly #contents: ContentCatalog;
  readonly #subscriptions: ResourceSubscriptions;
  readonly #closing = new AbortController();
  readonly #methods: Readonly<Record<Era, ReadonlyMap<string, Method>>>;

  constructor(host: GatewayHost, { info, scope, search = false, notifier }: GatewayOptions) {
    this.notifier = notifier ?? { notify: () => {} };
    const catalog = new ToolCatalog(host);
    this.#host = host;
    this.#info = info;
    this.#scope = scope;
    this.#search = search;
    this.#catalog = catalog;
    this.#held = new SuspendedCalls(info);
    const held = this.#held;
    const call = { host, info, scope, held, find: (name: string) => catalog.find(name) };
    const searched = {
      catalog,
      info,
      scope,
      call: (request: RpcRequest, exchange: Exchange) => callTool(call, request, exchange),
    };
    this.#contents = new ContentCatalog(host.content);
    this.#subscriptions = new ResourceSubscriptions(host.content);
    const content = {
      info,
      scope,
      catalog: this.#contents,
      content: host.content,
      subscriptions: this.#subscriptions,
      tools: () => host.tools(),
      arrivals: (signal: AbortSignal) => host.arrivals(signal),
    };
    const contents = contentMethods(content);
    const source = {
      ...content,
      closing: this.#closing.signal,
      onChanged: (listener: (list: ChangingList) => void) => this.onListChanged(listener),
    };
    const shared: [string, Method][] = [
      ['tools/list', (request, exchange) => this.#list(request, exchange)],
      [
        'tools/call',
        (request, exchange) =>
          isSearchCall(request)
            ? callSearchTool(searched, request, exchange)
            : callTool(call, request, exchange),
      ],
      ...contents.shared,
    ];
    this.#methods = {
      legacy: new Map([
        ...shared,
        ...contents.legacy,
        ['initialize', (request) => this.#initialize(request)],
        ['ping', () => ({ resultText: '{}' })],
      ]),
      modern: new Map([
        ...shared,
        ['server/discover', () => this.#discover()],
        ['subscriptions/listen', (request, exchange) => listen(source, request, exchange)],
      ]),
    };
  }

  /** Answers a request; there is nothing to send once its client has cancelled it. */
  async answer(request: RpcRequest, exchange: Exchange): Promise<Answer | undefined> {
    const method = this.#methods[exchange.era].get(request.method) ?? unknownMethod;
    let reply: Reply;
    try {
      reply = await method(request, exchange);
    } catch (error) {
      const message = `Internal error: ${error instanceof Error ? error.message : error}`;
      reply = { error: { code: rpcCode.internalError, message } };
    }
    if (exchange.signal.aborted && exchange.signal.reason !== shutdown) return undefined;
    if ('resultText' in reply) return { line: resultLine(request.id, reply.resultText) };
    return { line: errorLine(request.id, reply.error), code: reply.error.code };
  }

  /** Calls back when a list has changed; returns a function that stops it. */
  onListChanged(listener: (list: ChangingList) => void): () => void {
    const stops = [
      this.#catalog.onChanged(() => listener('tools')),
      this.#contents.onChanged(listener),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** The schema of a tool's parameters, for those who check them on the wire. */
  inputSchema(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#catalog.find(name)?.tool.inputSchema;
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    this.#held[Symbol.dispose]();
    this.#catalog[Symbol.dispose]();
    this.#contents[Symbol.dispose]();
    this.#subscriptions[Symbol.dispose]();
  }

  #initialize({ params }: RpcRequest): Reply {
    const asked = params.protocolVersion;
    if (typeof asked !== 'string') return invalidParams('"protocolVersion" must be a string.');
    const protocolVersion = agreedVersion(asked);
    const result = { protocolVersion, capabilities, serverInfo: this.#info };
    return { resultText: JSON.stringify(result) };
  }

  #discover(): Reply {
    return {
      resultText: JSON.stringify({
        resultType: 'complete',
        supportedVersions: modernVersions,
        capabilities,
        ttlMs: 3_600_000,
        cacheScope: 'private',
        _meta: { [metaKey.serverInfo]: this.#info },
      }),
    };
  }

  async #list({ params }: RpcRequest, { era, query, signal }: Exchange): Promise<Reply> {
    if (params.cursor !== undefined)
      return invalidParams('"cursor" is unknown: there is one page.');
    await this.#host.arrivals(signal);
    const filter = query === '' ? undefined : await filterFor(query, this.#scope);
    if (filter instanceof HostError) return invalidParams(filter.message);
    const isSearch = this.#search || new URLSearchParams(query).has('search');
    const tools = isSearch ? searchList : this.#catalog.listText(era, filter);
    if (era === 'legacy') return { resultText: `{"tools":${tools}}` };
    // Tools come and go with their servers; who wants to keep the list listens for changes.
    const rest = { ttlMs: 0, cacheScope: 'private', _meta: { [metaKey.serverInfo]: this.#info } };
    return {
      resultText: `{"resultType":"complete","tools":${tools},${JSON.stringify(rest).slice(1)}`,
    };
  }
}

function unknownMethod({ method }: RpcRequest): Reply {
  return { error: { code: rpcCode.methodNotFound, message: `Method not found: ${method}` } };
}
