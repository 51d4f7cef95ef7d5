import { type ContentRequest, fixedError, HostError, offeredPrefix } from '@errand/host';
import { isRecord, type JsonObject, type RpcError, type RpcRequest, rpcCode } from '@errand/wire';
import type { ContentList, OfferedContent } from './content-catalog.ts';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import { hopsOf, maxHops, metaForServer } from './hops.ts';
import { type Implementation, metaKey } from './protocol.ts';
import type { ResourceSubscriptions } from './resource-subscriptions.ts';
import {
  type ContentRoute,
  type RouteSources,
  routePrompt,
  routeResource,
} from './route-content.ts';
import { filterFor, type ScopeOf, type ToolFilter } from './scope.ts';

interface ContentContext extends RouteSources {
  readonly info: Implementation;
  readonly scope: ScopeOf | undefined;
  readonly subscriptions: ResourceSubscriptions;
  /** Waits for servers on their way. */
  arrivals(signal: AbortSignal): Promise<void> | undefined;
}

type Method = (request: RpcRequest, exchange: Exchange) => Promise<Reply>;

/** What older revisions call a resource that nobody has. */
const resourceNotFound = -32002;

/** The methods of resources and prompts, those of both eras and those of the older one alone. */
export function contentMethods(context: ContentContext): {
  readonly shared: readonly [string, Method][];
  readonly legacy: readonly [string, Method][];
} {
  const list =
    (kind: ContentList): Method =>
    (request, exchange) =>
      listContent(context, kind, request, exchange);
  return {
    shared: [
      ['resources/list', list('resources')],
      ['resources/templates/list', list('resourceTemplates')],
      ['prompts/list', list('prompts')],
      ['resources/read', (request, exchange) => readResource(context, request, exchange)],
      ['prompts/get', (request, exchange) => getPrompt(context, request, exchange)],
      ['completion/complete', (request, exchange) => complete(context, request, exchange)],
    ],
    legacy: [
      ['resources/subscribe', (request, exchange) => subscribe(context, request, exchange)],
      [
        'resources/unsubscribe',
        async ({ params }, { watched }) => {
          watched?.remove(String(params.uri));
          return { resultText: '{}' };
        },
      ],
    ],
  };
}

async function listContent(
  context: ContentContext,
  kind: ContentList,
  { params }: RpcRequest,
  { era, query, signal }: Exchange,
): Promise<Reply> {
  if (params.cursor !== undefined) return invalidParams('"cursor" is unknown: there is one page.');
  await context.arrivals(signal);
  const filter = await filterFor(query, context.scope);
  if (filter instanceof HostError) return invalidParams(filter.message);
  const offered = await context.catalog.list(kind);
  const allowed = offered.filter(({ server }) => isAllowed(filter, server.name));
  const result = { [kind]: allowed.map((one) => describe(kind, one)) };
  return shaped(era === 'modern' ? cacheable(result) : result, era, context.info);
}

function describe(kind: ContentList, { server, item, key }: OfferedContent): JsonObject {
  const meta = isRecord(item._meta) ? item._meta : undefined;
  return {
    ...item,
    ...(kind === 'resources' && { uri: key }),
    name: kind === 'prompts' ? key : offeredPrefix(server.name) + item.name,
    _meta: { ...meta, [metaKey.hops]: hopsOf(meta) + 1 },
  };
}

async function readResource(
  context: ContentContext,
  { params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { uri } = params;
  if (typeof uri !== 'string') return invalidParams('"uri" must be a string.');
  const route = await routeResource(uri, context);
  if (route === undefined) return noSuchResource(uri, exchange);
  const asked = { method: 'resources/read', params: { uri: route.key } } as const;
  const reply = await forward(context, route, asked, params, exchange);
  if (!('result' in reply)) return 'error' in reply ? withUri(reply.error, uri) : reply;
  const { contents } = reply.result;
  const result = {
    ...reply.result,
    contents: Array.isArray(contents) ? contents.map((part) => underName(part, route, uri)) : [],
  };
  const { era } = exchange;
  return shaped(era === 'modern' ? cacheable(result) : result, era, context.info);
}

function withUri(error: RpcError, uri: string): Reply {
  return { error: { ...error, data: { ...(error.data as object | undefined), uri } } };
}

/** A part of the resource that was asked for, under the address that it was asked for by. */
function underName(part: unknown, { key }: ContentRoute, uri: string): unknown {
  return isRecord(part) && part.uri === key ? { ...part, uri } : part;
}

async function getPrompt(
  context: ContentContext,
  { params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { name, arguments: given } = params;
  if (typeof name !== 'string') return invalidParams('"name" must be a string.');
  const route = routePrompt(name, context);
  if (route === undefined) return unknownPrompt(name);
  const asked = {
    method: 'prompts/get',
    params: { name: route.key, ...(given !== undefined && { arguments: given }) },
  } as const;
  const reply = await forward(context, route, asked, params, exchange);
  return 'result' in reply ? shaped(reply.result, exchange.era, context.info) : reply;
}

async function complete(
  context: ContentContext,
  { params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { ref, argument, context: given } = params;
  if (!isRecord(ref)) return invalidParams('"ref" must name a prompt or a resource.');
  const found = await routeReference(ref, context);
  if (found === undefined)
    return invalidParams('"ref" names no known prompt or resource. Read the lists again.');
  if (!found.route.server.features.completions) {
    const result = { completion: { values: [], total: 0, hasMore: false } };
    return shaped(result, exchange.era, context.info);
  }
  const asked = {
    method: 'completion/complete',
    params: { ref: found.ref, argument, ...(given !== undefined && { context: given }) },
  } as const;
  const reply = await forward(context, found.route, asked, params, exchange);
  return 'result' in reply ? shaped(reply.result, exchange.era, context.info) : reply;
}

async function routeReference(
  ref: JsonObject,
  context: ContentContext,
): Promise<{ readonly route: ContentRoute; readonly ref: JsonObject } | undefined> {
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const route = routePrompt(ref.name, context);
    return route && { route, ref: { ...ref, name: route.key } };
  }
  if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string') return undefined;
  const { uri } = ref;
  const template = (await context.catalog.list('resourceTemplates')).find(({ key }) => key === uri);
  const route = template
    ? { server: template.server, key: uri }
    : await routeResource(uri, context);
  return route && { route, ref: { ...ref, uri: route.key } };
}

async function subscribe(
  context: ContentContext,
  { params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { uri } = params;
  if (typeof uri !== 'string') return invalidParams('"uri" must be a string.');
  const route = await routeResource(uri, context);
  if (route === undefined) return noSuchResource(uri, exchange);
  const refusal = await refusalOf(context, route, params, exchange);
  if (refusal !== undefined) return refusal;
  const { watched } = exchange;
  if (!(watched && route.server.features.subscriptions)) {
    return invalidParams(`Server "${route.server.name}" does not say when its resources change.`);
  }
  try {
    await watched.add(uri, (send) => context.subscriptions.follow(route, uri, send));
  } catch (error) {
    return failed(error, exchange);
  }
  return { resultText: '{}' };
}

/** Passes a question on to a server, where the client may ask it. */
async function forward(
  context: ContentContext,
  route: ContentRoute,
  request: ContentRequest,
  { _meta }: JsonObject,
  exchange: Exchange,
): Promise<Reply | { readonly result: JsonObject }> {
  const refusal = await refusalOf(context, route, { _meta }, exchange);
  if (refusal !== undefined) return refusal;
  const params = { ...request.params, _meta: metaForServer(isRecord(_meta) ? _meta : undefined) };
  const asked = { ...request, params };
  try {
    return { result: await context.content.request(route.server.id, asked, exchange.signal) };
  } catch (error) {
    return failed(error, exchange);
  }
}

async function refusalOf(
  context: ContentContext,
  { server }: ContentRoute,
  { _meta }: JsonObject,
  { query }: Exchange,
): Promise<Reply | undefined> {
  const filter = await filterFor(query, context.scope);
  if (filter instanceof HostError) return invalidParams(filter.message);
  if (!isAllowed(filter, server.name)) {
    return invalidParams(`Server "${server.name}" is not offered for this note.`);
  }
  if (context.content.isStopped()) {
    return { error: { code: rpcCode.serverError, message: fixedError('stopped').message } };
  }
  if (hopsOf(isRecord(_meta) ? _meta : undefined) < maxHops) return undefined;
  const message = `The request has passed ${maxHops} gateways: one of them reaches itself. Remove the server that leads back to its own gateway.`;
  return { error: { code: rpcCode.invalidRequest, message } };
}

function isAllowed(filter: ToolFilter | undefined, server: string): boolean {
  return filter?.(server, '') ?? true;
}

function failed(error: unknown, { era }: Exchange): Reply {
  if (!(error instanceof HostError)) throw error;
  const { code, message } = error;
  const isRefused = code === 'invalid_params';
  const refused = era === 'legacy' ? resourceNotFound : rpcCode.invalidParams;
  return {
    error: {
      code: isRefused ? refused : rpcCode.serverError,
      message,
      data: { [metaKey.code]: code },
    },
  };
}

function noSuchResource(uri: string, { era }: Exchange): Reply {
  const message = `Resource not found: ${uri}. Read the list of resources again, or name its server: errand:resource/SERVER/ADDRESS, with the address percent-encoded.`;
  const code = era === 'legacy' ? resourceNotFound : rpcCode.invalidParams;
  return { error: { code, message, data: { uri } } };
}

function unknownPrompt(name: string): Reply {
  return invalidParams(`Unknown prompt: ${name}. Read the list of prompts again.`);
}

/** What a server says of how long its answer holds, or that it does not. */
function cacheable(result: JsonObject): JsonObject {
  return { ttlMs: 0, cacheScope: 'private', ...result };
}

function shaped(result: JsonObject, era: Exchange['era'], info: Implementation): Reply {
  if (era === 'legacy') return { resultText: JSON.stringify(result) };
  const meta = isRecord(result._meta) ? result._meta : undefined;
  const _meta = { ...meta, [metaKey.serverInfo]: info };
  return { resultText: JSON.stringify({ ...result, resultType: 'complete', _meta }) };
}
