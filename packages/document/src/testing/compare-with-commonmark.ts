import { Parser } from 'commonmark';
import { fenceBody } from '../results/find-result.ts';
import { scan } from '../scan/scan.ts';

/** The fences and headings of a note, as we and as the reference implementation of CommonMark find them. */
interface Comparison {
  readonly ours: readonly string[];
  readonly reference: readonly string[];
}

/** One line per fence (with its text) and heading; the two lists must be equal. */
export function compareWithCommonmark(text: string): Comparison {
  return { ours: ownBlocks(text), reference: referenceBlocks(text) };
}

function ownBlocks(text: string): readonly string[] {
  const { fences, headings } = scan(text);
  return [
    ...fences.map((fence) => {
      const hasBody = fence.endLine > fence.line + (fence.isClosed ? 1 : 0);
      return describe('fence', fence, fence.length, hasBody ? `${fenceBody(text, fence)}\n` : '');
    }),
    ...headings.map((heading) => describe('heading', heading, heading.level, '')),
  ].sort();
}

interface ReferenceNode {
  readonly type: string;
  readonly level: number;
  readonly literal: string | null;
  readonly sourcepos: readonly (readonly [line: number, column: number])[];
  readonly _isFenced?: boolean;
  readonly _fenceLength: number;
}

function referenceBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  // The reference counts a phantom line after a final CR; line ends are otherwise equal to it.
  const walker = new Parser().parse(withoutFrontmatter(text).replace(/\r\n?/g, '\n')).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (!event.entering) continue;
    const node = event.node as unknown as ReferenceNode;
    const [[line = 0] = [], [endLine = 0] = []] = node.sourcepos ?? [];
    if (node.type === 'heading')
      blocks.push(describe('heading', { line, endLine }, node.level, ''));
    if (node.type !== 'code_block' || !node._isFenced) continue;
    blocks.push(describe('fence', { line, endLine }, node._fenceLength, node.literal ?? ''));
  }
  return blocks.sort();
}

/** The reference knows neither byte order marks nor frontmatter: blank lines stand in for them. */
function withoutFrontmatter(text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  const lines = bare.split(/(\r\n|\n|\r)/);
  const isDelimiter = (line: string | undefined) => /^---[ \t]*$/.test(line ?? '');
  if (!isDelimiter(lines[0])) return bare;
  const end = lines.findIndex((line, index) => index > 0 && isDelimiter(line));
  return end < 0 ? bare : '\n'.repeat(end / 2) + lines.slice(end + 1).join('');
}

function describe(
  kind: string,
  { line, endLine }: { readonly line: number; readonly endLine: number },
  size: number,
  body: string,
): string {
  // Inside list items the reference drops lines of white space; what stands there is ours to keep.
  const content = body.replace(/\0/g, '\uFFFD').replace(/^[ \t]+$/gm, '');
  return `${kind} ${line}-${endLine} size ${size} ${JSON.stringify(content)}`;
}
