import type { Decision, NoteScan, RequestCursor } from '@errand/document';
import type { Insertion, Suggestion, SuggestionContext } from './suggestion.ts';

type ServerCursor = Extract<RequestCursor, { readonly kind: 'server' }>;

/** The servers that a block may name in its section. */
export function suggestServers(
  scan: NoteScan,
  cursor: ServerCursor,
  decision: Decision,
  context: SuggestionContext,
): readonly Suggestion[] {
  const { servers } = context;
  const bound = decision.kind === 'bound' ? decision.server : undefined;
  const offered = servers
    .filter(({ name }) => bound === undefined || name === bound)
    .toSorted((one, other) => Number(other.enabled) - Number(one.enabled));
  const first = bound ?? servers.find(({ enabled }) => enabled)?.name;
  const row = (label: string, detail: string, description = ''): Suggestion => ({
    label,
    detail,
    description,
    choice: { kind: 'write', ...named(scan, cursor, label) },
  });
  return [
    ...(cursor.typed === '' && cursor.language === '' ? [plainBlock(scan, cursor)] : []),
    ...offered.map(({ id, name, enabled }) =>
      row(
        name,
        enabled ? toolCount(context.tools(id).length) : 'disabled',
        bound === undefined ? '' : 'The server of this section',
      ),
    ),
    ...(first === undefined
      ? []
      : [
          row(
            'mcp',
            `asks ${first}`,
            bound ? 'The server of this section' : 'The first enabled server',
          ),
        ]),
  ];
}

/** Names the server; an empty block also gets its `tool:` line, and its closing fence when that is missing. */
function named(
  { lineEnd }: NoteScan,
  { from, to, prefix, isEmpty, missingEnd }: ServerCursor,
  name: string,
): Insertion {
  const head = isEmpty ? `${name}${lineEnd}${prefix}tool: ` : name;
  const end = missingEnd === null ? '' : `${lineEnd}${prefix}${missingEnd}`;
  const cursor = from + head.length;
  return { edits: [{ range: [from, to], text: head + end }], selection: [cursor, cursor] };
}

/** Comes first, so that Enter after an opening fence starts a plain code block as in any editor. */
function plainBlock({ text, lineEnd }: NoteScan, { from, to, prefix }: ServerCursor): Suggestion {
  const line = lineEnd + prefix;
  // Closing backticks that the editor added after the cursor move to a line of their own.
  const end = text.slice(from, to);
  const written = end === '' ? line : `${line}${line}${end}`;
  const cursor = from + line.length;
  const choice = {
    kind: 'write',
    edits: [{ range: [from, to], text: written }],
    selection: [cursor, cursor],
  } as const;
  return { label: 'Code block', detail: 'no server', description: '', choice };
}

function toolCount(count: number): string {
  if (count === 0) return 'not started yet';
  return count === 1 ? '1 tool' : `${count} tools`;
}
