import type { ContentPart, RawToolResult, ToolDescription } from '@errand/host';

/** A tool as the editor lists it. */
export interface EditorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object | undefined;
}

/** The name under which gateways of this program present themselves to clients. */
export const gatewayName = 'errand';

// The editor begins the names of MCP tools so, with a number for the second server of a name.
const fromGateway = new RegExp(`^mcp_${gatewayName}\\d*_`);

/** The tools of the editor that a vault can use; those that reach the editor through a gateway of a vault are left out, since they would lead back to it. */
export function describeEditorTools(tools: readonly EditorTool[]): readonly ToolDescription[] {
  return tools.flatMap(({ name, description, inputSchema }) =>
    fromGateway.test(name)
      ? []
      : [{ name, description, inputSchema: { type: 'object', ...inputSchema } }],
  );
}

/** What a tool of the editor has answered, as MCP has it; parts of kinds that are not known are kept as JSON. */
export function readToolResult(parts: readonly unknown[]): RawToolResult {
  return { content: parts.map(readPart) };
}

function readPart(part: unknown): ContentPart {
  if (typeof part !== 'object' || part === null) return text(JSON.stringify(part) ?? '');
  if ('mimeType' in part && 'data' in part && part.data instanceof Uint8Array) {
    return readData(String(part.mimeType), Buffer.from(part.data));
  }
  const value = 'value' in part ? part.value : part;
  return text(typeof value === 'string' ? value : JSON.stringify(value));
}

function readData(mimeType: string, data: Buffer): ContentPart {
  const [kind] = mimeType.split('/', 1);
  if (kind === 'text' || /^application\/(?:.+\+)?json\b/.test(mimeType))
    return text(data.toString());
  const encoded = data.toString('base64');
  if (kind === 'image' || kind === 'audio') return { type: kind, mimeType, data: encoded };
  return { type: 'resource', resource: { uri: 'editor:data', mimeType, blob: encoded } };
}

function text(value: string): ContentPart {
  return { type: 'text', text: value };
}
