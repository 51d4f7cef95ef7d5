import type { ToolAnnotations, ToolDescription } from '@errand/host';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { brokenSchema } from './broken-schema.ts';

/** One page of `tools/list` as it came over the wire. */
export interface ToolPage {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
}

const maxPages = 100;
const maxTools = 10_000;
const maxCharacters = 16 * 1024 * 1024;

/** Reads a server's whole list of tools; a broken tool does not spoil the others. */
export async function readTools(
  server: string,
  fetchPage: (cursor: string | undefined) => Promise<ToolPage>,
): Promise<readonly ToolDescription[]> {
  const tools = new Map<string, ToolDescription>();
  const seen = new Set<string | undefined>();
  let characters = 0;
  let cursor: string | undefined;
  do {
    seen.add(cursor);
    const page = await fetchPage(cursor);
    if (!Array.isArray(page.tools)) throw noList(server);
    for (const tool of page.tools.flatMap(describe)) {
      // Of two tools with one name the first is the one that a call would reach.
      if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    characters += JSON.stringify(page.tools).length;
    const isEndless = seen.size > maxPages || tools.size > maxTools || characters > maxCharacters;
    if (isEndless) throw endlessList(server);
    cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
    // A server that hands out a cursor again would never come to an end.
  } while (cursor !== undefined && !seen.has(cursor));
  return [...tools.values()];
}

function describe(tool: unknown): ToolDescription[] {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta } =
    (tool ?? {}) as Record<string, unknown>;
  // What has no name can neither be shown nor called.
  if (typeof name !== 'string' || name === '') return [];
  const broken = brokenSchema(inputSchema);
  return [
    {
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      inputSchema: isRecord(inputSchema) ? inputSchema : {},
      ...(isRecord(outputSchema) && { outputSchema }),
      ...(isRecord(annotations) && { annotations: readAnnotations(annotations) }),
      ...(Array.isArray(icons) && { icons }),
      ...(isRecord(_meta) && { _meta }),
      ...(broken !== undefined && { broken }),
    },
  ];
}

/** A hint counts only as a real boolean: it decides whether a call may be repeated. */
function readAnnotations(annotations: Readonly<Record<string, unknown>>): ToolAnnotations {
  const read: Record<string, unknown> = {};
  if (typeof annotations.title === 'string') read.title = annotations.title;
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    if (typeof annotations[hint] === 'boolean') read[hint] = annotations[hint];
  }
  return read;
}

function noList(server: string): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server}" answered the request for its tools with something else. This is a bug in the server; report it to its authors.`,
    { server },
  );
}

function endlessList(server: string): HostError {
  return new HostError(
    'server_unavailable',
    `The list of tools of server "${server}" does not end after ${maxPages} pages, ${maxTools} tools or 16 MiB. This is a bug in the server; report it to its authors.`,
    { server },
  );
}
