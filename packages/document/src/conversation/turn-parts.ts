import type { ToolBlock } from '../blocks/tool-block.ts';
import { plainValue } from '../params/source-value.ts';
import type { ResultType } from '../results/result-block.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import type { Turn } from './find-conversations.ts';

/** A part of an answer: text, or a call with its result. */
export type TurnPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly server: string;
      readonly tool: string;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly status: 'success' | 'error';
      readonly answer: string;
      /** Of an answer that stands in a note. */
      readonly type?: ResultType;
    };

/** Splits an answer into parts. A request without a result stays text. */
export function turnParts(
  { text }: NoteScan,
  turn: Turn,
  blocks: readonly ToolBlock[],
): readonly TurnPart[] {
  const parts: TurnPart[] = [];
  const addText = (from: number, to: number) => {
    const words = text.slice(from, to).replace(/\r\n?/g, '\n').trim();
    if (words !== '') parts.push({ kind: 'text', text: words });
  };
  let at = turn.textFrom;
  for (const { fence, result, server, tool, params } of blocks) {
    if (fence.from < turn.textFrom || fence.to > turn.to || fence.container !== null) continue;
    if (result === null || server === null || tool === null) continue;
    addText(at, fence.from);
    parts.push({
      kind: 'call',
      server,
      tool,
      parameters: plainValue(params) as Readonly<Record<string, unknown>>,
      status: result.status,
      answer: result.payload,
      ...(result.type !== null && { type: result.type }),
    });
    at = result.to;
  }
  addText(at, turn.to);
  return parts;
}
