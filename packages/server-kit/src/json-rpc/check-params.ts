import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import * as z from 'zod';

// The SDK has schemas of its own, but calls what does not fit them an internal error, and to
// load them for this would double the time in which a server starts.
const object = z.looseObject({});
const meta = z.looseObject({ progressToken: z.union([z.string(), z.int()]).optional() }).optional();
const plain = z.looseObject({ _meta: meta }).optional();
const paging = z.looseObject({ cursor: z.string().optional(), _meta: meta }).optional();
const byUri = z.looseObject({ uri: z.string(), _meta: meta });

/** What both eras know. */
const lasting = {
  'tools/list': paging,
  'tools/call': z.looseObject({ name: z.string(), arguments: object.optional(), _meta: meta }),
  'prompts/list': paging,
  'prompts/get': z.looseObject({
    name: z.string(),
    arguments: z.record(z.string(), z.string()).optional(),
    _meta: meta,
  }),
  'resources/list': paging,
  'resources/templates/list': paging,
  'resources/read': byUri,
  'completion/complete': z.looseObject({
    ref: z.union([
      z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
      z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    ]),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
    _meta: meta,
  }),
};

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What 2026-07-28 has removed. */
const removed = {
  initialize: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({
      experimental: z.record(z.string(), object).optional(),
      sampling: object.optional(),
      elicitation: object.optional(),
      roots: z.looseObject({ listChanged: z.boolean().optional() }).optional(),
    }),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
    _meta: meta,
  }),
  ping: plain,
  'logging/setLevel': z.looseObject({ level: z.enum(levels), _meta: meta }),
  'resources/subscribe': byUri,
  'resources/unsubscribe': byUri,
};

const schemas: Readonly<Record<'legacy' | 'modern', ReadonlyMap<string, z.ZodType>>> = {
  legacy: new Map(Object.entries({ ...lasting, ...removed })),
  modern: new Map(Object.entries(lasting)),
};

/** What is wrong with the parameters of a request that MCP defines, or undefined. */
export function checkParams(
  { method, params }: JSONRPCRequest,
  era: 'legacy' | 'modern',
): string | undefined {
  const [issue] = schemas[era].get(method)?.safeParse(params).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const path = ['params', ...issue.path].join('.');
  return `Invalid parameters of ${method}. ${path}: ${issue.message}.`;
}
