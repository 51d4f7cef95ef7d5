import type { ToolBlock } from '../blocks/tool-block.ts';
import type { TextEdit } from '../edits.ts';
import { containerPrefix } from '../scan/contained-lines.ts';
import { opensFrontmatter } from '../scan/frontmatter.ts';
import { lineEndBefore, lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { type ResultContent, resultLines } from './result-lines.ts';

/** How a result is written: by an edit, not at all because it is unchanged, or refused. */
type ResultEdit =
  | { readonly kind: 'edit'; readonly edit: TextEdit }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      readonly code: 'output_edited' | 'note_changed' | 'block_invalid';
      readonly message: string;
      /** Whether `force` would replace the existing text. */
      readonly isForceable?: true;
    };

/** Writes a result below its request, or in place of the existing one. `block` must come from this scan. */
export function writeResult(
  { text, lineEnd }: Pick<NoteScan, 'text' | 'lineEnd'>,
  block: ToolBlock,
  content: ResultContent,
  options: { readonly force?: boolean } = {},
): ResultEdit {
  const refused = refusalOf(block, options.force ?? false);
  if (refused !== null) return refused;
  const { form, lines: bare } = resultLines(block, content, opensFrontmatter(text));
  const prefix = linePrefix(text, block, form !== 'fence');
  const lines = bare.map((line) => (line === '' ? prefix.trimEnd() : prefix + line));
  const { anchor, result } = block;
  if (result === null) {
    const gap = isInTightItem(text, block) ? [] : [prefix.trimEnd()];
    const below = [...gap, ...lines].join(lineEnd);
    return { kind: 'edit', edit: { range: [anchor, anchor], text: lineEnd + below } };
  }
  const { from, to } = result;
  if (text.slice(from, to).replace(/\r\n?/g, '\n') === lines.join('\n'))
    return { kind: 'unchanged' };
  return { kind: 'edit', edit: { range: [from, to], text: lines.join(lineEnd) } };
}

function refusalOf({ fence, result, line, refusal }: ToolBlock, force: boolean): ResultEdit | null {
  if (!fence.isClosed) {
    const end = fence.marker.repeat(fence.length);
    const message = `The block on line ${line} has no end, so nothing can be written below it. Close it with a line of ${end}`;
    return { kind: 'refused', code: 'block_invalid', message };
  }
  // A second result would stand beside the one that is apart from the block.
  if (refusal?.code === 'note_changed')
    return { kind: 'refused', code: 'note_changed', message: refusal.message };
  if (result === null || !result.isEdited) return null;
  if (!result.isClosed) {
    const message = `The result on line ${result.line} has lost its end. Delete what is left of it and run the block again.`;
    return { kind: 'refused', code: 'output_edited', message };
  }
  if (force) return null;
  const message = `The result on line ${result.line} was edited by hand.`;
  return { kind: 'refused', code: 'output_edited', message, isForceable: true };
}

/**
 * Whether a blank line below the request could be the only one in its list, and space out all items of it. One
 * above the request, or between it and its block id, does so already.
 */
function isInTightItem(text: string, { fence, anchor }: ToolBlock): boolean {
  const { container, from, line } = fence;
  if (container?.kind !== 'item' || hasBlankLine(text.slice(fence.to, anchor))) return false;
  if (line === container.line) return true;
  const end = lineEndBefore(text, lineStart(text, from));
  return !/^[ \t>]*$/.test(text.slice(lineStart(text, end), end));
}

function hasBlankLine(text: string): boolean {
  return /(?:\r\n?|\n)[ \t>]*[\r\n]/.test(text);
}

/**
 * What every line below the request begins with: what its own last line begins with. A live result must
 * not be indented any further than its container needs, or its own Markdown would change.
 */
function linePrefix(text: string, { fence }: ToolBlock, isLive: boolean): string {
  const start = lineStart(text, fence.to);
  const prefix = isLive
    ? containerPrefix(text, fence.to, fence.container)
    : text.slice(start, text.indexOf(fence.marker, start));
  // A quote marker takes one space after it; without one it would take the payload's.
  return prefix.endsWith('>') ? `${prefix} ` : prefix;
}
