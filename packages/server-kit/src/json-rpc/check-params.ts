import { type JSONRPCRequest, specTypeSchemas } from '@modelcontextprotocol/server';

/** The requests whose parameters the SDK would refuse as an internal error. */
const schemas = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'resources/subscribe': specTypeSchemas.SubscribeRequest,
  'resources/unsubscribe': specTypeSchemas.UnsubscribeRequest,
  'completion/complete': specTypeSchemas.CompleteRequest,
  'logging/setLevel': specTypeSchemas.SetLevelRequest,
  ping: specTypeSchemas.PingRequest,
} as const;

/** What is wrong with the parameters of a request that MCP defines, or undefined. */
export function checkParams(request: JSONRPCRequest): string | undefined {
  if (!Object.hasOwn(schemas, request.method)) return undefined;
  const schema = schemas[request.method as keyof typeof schemas];
  const checked = schema['~standard'].validate({
    method: request.method,
    ...(request.params !== undefined && { params: request.params }),
  });
  if (checked instanceof Promise || checked.issues === undefined) return undefined;
  const [issue] = checked.issues;
  const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part));
  return `Invalid parameters of ${request.method}. ${path?.join('.') || 'params'}: ${issue?.message}.`;
}
