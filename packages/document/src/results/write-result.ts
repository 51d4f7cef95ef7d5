import type { ToolBlock } from '../blocks/tool-block.ts';
import type { TextEdit } from '../edits.ts';
import { dominantLineEnd } from '../line-end.ts';
import { lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { normalizePayload, payloadSum } from './payload.ts';
import type { ResultType } from './result-block.ts';

/** What a call gave, ready to be written below its request. */
export interface ResultContent {
  readonly status: 'success' | 'error';
  readonly type: ResultType;
  readonly payload: string;
  /** Why it failed; errors have one. */
  readonly code?: string;
}

/** How a result gets into the note: by an edit, not at all because it stands there, or refused. */
export type ResultEdit =
  | { readonly kind: 'edit'; readonly edit: TextEdit }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      readonly code: 'output_edited' | 'block_invalid';
      readonly message: string;
    };

/** Writes a result below its request, or in place of the one there. `block` is one of this very scan. */
export function writeResult(
  scan: NoteScan,
  block: ToolBlock,
  content: ResultContent,
  options: { readonly force?: boolean } = {},
): ResultEdit {
  const { text } = scan;
  const { fence, result } = block;
  if (!fence.isClosed) {
    const message = `The block on line ${block.line} has no end, so nothing can be written below it. Close it with ${fence.marker.repeat(fence.length)}.`;
    return { kind: 'refused', code: 'block_invalid', message };
  }
  if (result?.isEdited && !(options.force && result.isClosed)) {
    const message = `The result on line ${result.line} was edited by hand. Delete it, or run again with --force to replace it.`;
    return { kind: 'refused', code: 'output_edited', message };
  }
  const prefix = linePrefix(text, block);
  const lines = resultLines(block, content).map((line) =>
    line === '' ? prefix.trimEnd() : prefix + line,
  );
  const eol = dominantLineEnd(text);
  if (result === null) {
    const range = [block.anchor, block.anchor] as const;
    const edit = { range, text: eol + [prefix.trimEnd(), ...lines].join(eol) };
    return { kind: 'edit', edit };
  }
  const edit = { range: [result.from, result.to] as const, text: lines.join(eol) };
  return edit.text === text.slice(result.from, result.to)
    ? { kind: 'unchanged' }
    : { kind: 'edit', edit };
}

/** What every line below the request begins with: what its own last line begins with. */
function linePrefix(text: string, block: ToolBlock): string {
  const { fence } = block;
  const start = lineStart(text, fence.to);
  const prefix = text.slice(start, text.indexOf(fence.marker, start));
  // A quote marker takes one space after it; without one it would take the payload's.
  return prefix.endsWith('>') ? `${prefix} ` : prefix;
}

function resultLines(block: ToolBlock, content: ResultContent): readonly string[] {
  const payload = normalizePayload(content.payload);
  const attributes = [
    ...(block.req === null ? [] : [`req=${block.req}`]),
    `sum=${payloadSum(payload)}`,
    ...(content.status === 'error' ? [`code=${content.code ?? 'tool_failed'}`] : []),
    `type=${content.type}`,
    ...(block.options.display === undefined ? [] : [`display=${block.options.display}`]),
  ].join(' ');
  const language = content.status === 'error' ? 'mcp-error' : 'mcp-result';
  const fence = '`'.repeat(Math.max(3, longestRun(payload) + 1));
  const body = payload === '' ? [] : payload.split('\n');
  return [`${fence}${language} ${attributes}`, ...body, fence];
}

function longestRun(payload: string): number {
  return (payload.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
