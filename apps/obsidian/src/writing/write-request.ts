import { insertBlock, type NoteScan } from '@errand/document';
import { requestTemplate, type ToolDescription } from '@errand/host';
import type { Writing } from './writing.ts';

/** A request as a block where the cursor is, its first value selected; nothing where no block can stand. */
export function writeRequest(
  scan: NoteScan,
  cursor: number,
  serverName: string,
  tool: ToolDescription,
): Writing | undefined {
  const { lines, firstValue } = requestTemplate(serverName, tool);
  const inserted = insertBlock(scan, cursor, lines);
  if (inserted === null) return undefined;
  const { line, from, to } = firstValue;
  return {
    edits: [inserted.edit],
    selection: [inserted.offsetOf(line, from), inserted.offsetOf(line, to)],
  };
}
