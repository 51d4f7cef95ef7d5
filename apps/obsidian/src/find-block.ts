import { languageOf } from '@errand/document';
import type { KeyedBlock } from './note-blocks.ts';

/** Where a rendered block is said to stand: lines of a text, counted from 0. */
export interface RenderedPlace {
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** The text that a block was rendered from, which may be an older one or a part of the note, by its requests. */
export interface Rendered {
  readonly blocks: readonly KeyedBlock[];
  readonly place: RenderedPlace;
}

/** What is known of a rendered block in any case. */
export interface RenderedRequest {
  readonly language: string;
  readonly body: string;
}

/**
 * The request of a note that a rendered block shows. The place is that of the whole callout or list when it
 * stands in one, and may be unknown; of several that could be meant, none is taken.
 */
export function findBlock(
  blocks: readonly KeyedBlock[],
  request: RenderedRequest,
  rendered: Rendered | undefined,
): KeyedBlock | undefined {
  const [only, ...others] = allLike(request, blocks);
  if (only === undefined || others.length === 0) return only;
  if (rendered === undefined) return undefined;
  const shown = allLike(request, rendered.blocks);
  const index = indexAt(shown, rendered.place);
  // As many as in the note now: they stand in the same order.
  return shown.length === others.length + 1 ? [only, ...others][index] : undefined;
}

function allLike(
  { language, body }: RenderedRequest,
  blocks: readonly KeyedBlock[],
): readonly KeyedBlock[] {
  return blocks.filter(
    ({ block: { source, fence } }) =>
      bodyOf(source) === withoutLastBreaks(body) &&
      languageOf(fence.info).toLowerCase() === language.toLowerCase(),
  );
}

function indexAt(blocks: readonly KeyedBlock[], { lineStart, lineEnd }: RenderedPlace): number {
  const exact = blocks.findIndex(({ block }) => block.line - 1 === lineStart);
  if (exact !== -1) return exact;
  const within = blocks.filter(({ block: { line } }) => line > lineStart && line <= lineEnd + 1);
  const [only] = within;
  return only !== undefined && within.length === 1 ? blocks.indexOf(only) : -1;
}

/** The text of a request without the line that opens its fence. */
function bodyOf(source: string): string {
  return withoutLastBreaks(source.slice(source.indexOf('\n') + 1));
}

function withoutLastBreaks(text: string): string {
  return text.replace(/\n+$/, '');
}
