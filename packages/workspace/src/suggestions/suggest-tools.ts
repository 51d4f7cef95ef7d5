import type { NoteScan, RequestCursor, TextEdit } from '@errand/document';
import {
  isNamedAbove,
  parameterLine,
  plainOrQuoted,
  type ServerConfig,
  type ToolDescription,
  writtenParameters,
} from '@errand/host';
import { type Insertion, remark, type Suggestion, type SuggestionContext } from './suggestion.ts';

type ValueCursor = Extract<RequestCursor, { readonly kind: 'value' }>;

/** The tools of a server for `tool:`; while they are unknown, a row that says why or starts the server. */
export function suggestTools(
  scan: NoteScan,
  cursor: ValueCursor,
  { id, name, enabled }: ServerConfig,
  context: SuggestionContext,
): readonly Suggestion[] {
  if (!enabled) {
    return [remark(`Server ${name} is disabled`, 'Enable it to see its tools.')];
  }
  const known = context.tools(id);
  if (known.length === 0) {
    const choice = { kind: 'start', serverId: id } as const;
    return [{ label: 'Start the server to see its tools', detail: name, description: '', choice }];
  }
  return known.map((tool) => ({
    label: tool.name,
    detail: name,
    description: firstLine(tool.description ?? tool.title ?? ''),
    choice: { kind: 'write', ...writeTool(scan, cursor, tool) },
  }));
}

/** Writes a tool name after `tool:`, and below it the required parameters that are missing. */
export function writeTool(
  { text, lineEnd }: NoteScan,
  { from, to, prefix, infoTo, names }: ValueCursor,
  tool: ToolDescription,
): Insertion {
  const lines = writtenParameters(tool)
    .filter(({ name, isRequired }) => isRequired && !names.includes(name))
    .map(parameterLine);
  const [first] = lines;
  const below = lines.map((line) => line.text);
  if (isNamedAbove(tool)) {
    // The tool has a parameter called `tool`, so the tool is named on the info line instead.
    const start =
      from - (/["']?tool["']?[ \t]*:[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0);
    const above = ` tool=${tool.name}`;
    const edits: TextEdit[] = [
      { range: [infoTo, infoTo], text: above },
      { range: [start, to], text: below.join(lineEnd + prefix) },
    ];
    const at = start + above.length;
    return { edits, selection: [at + (first?.from ?? 0), at + (first?.to ?? 0)] };
  }
  const name = (text[from - 1] === ':' ? ' ' : '') + plainOrQuoted(tool.name);
  const edits = [{ range: [from, to] as const, text: [name, ...below].join(lineEnd + prefix) }];
  const end = from + name.length;
  const start = end + lineEnd.length + prefix.length;
  return {
    edits,
    selection: first === undefined ? [end, end] : [start + first.from, start + first.to],
  };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
