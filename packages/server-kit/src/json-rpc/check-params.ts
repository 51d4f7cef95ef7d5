import { type JSONRPCRequest, specTypeSchemas } from '@modelcontextprotocol/server';

/** What both eras know. */
const lasting = {
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'completion/complete': specTypeSchemas.CompleteRequest,
};

/** What 2026-07-28 has removed. */
const removed = {
  initialize: specTypeSchemas.InitializeRequest,
  ping: specTypeSchemas.PingRequest,
  'logging/setLevel': specTypeSchemas.SetLevelRequest,
  'resources/subscribe': specTypeSchemas.SubscribeRequest,
  'resources/unsubscribe': specTypeSchemas.UnsubscribeRequest,
};

type Schema = (typeof lasting & typeof removed)[keyof typeof lasting | keyof typeof removed];

const schemas: Readonly<Record<'legacy' | 'modern', ReadonlyMap<string, Schema>>> = {
  legacy: new Map(Object.entries({ ...lasting, ...removed })),
  modern: new Map(Object.entries(lasting)),
};

/**
 * What is wrong with the parameters of a request that MCP defines, or undefined. (The SDK would
 * call it an internal error, which it is not.)
 */
export function checkParams(
  { method, params }: JSONRPCRequest,
  era: 'legacy' | 'modern',
): string | undefined {
  const schema = schemas[era].get(method);
  const checked = schema?.['~standard'].validate({ method, ...(params && { params }) });
  if (checked instanceof Promise) {
    // What is nested too deeply for zod to follow sends it to its slower way, where it fails again.
    checked.catch(() => {});
    return `Invalid parameters of ${method}. They are nested too deeply.`;
  }
  const [issue] = checked?.issues ?? [];
  if (issue === undefined) return undefined;
  const path = issue.path?.map((part) => String(typeof part === 'object' ? part.key : part));
  return `Invalid parameters of ${method}. ${path?.join('.') || 'params'}: ${issue.message}.`;
}
