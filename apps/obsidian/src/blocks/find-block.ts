import { languageOf } from '@errand/document';
import type { KeyedBlock } from '@errand/workspace/runs';
import { withoutLastBreaks } from './without-last-breaks.ts';

/** The lines of a rendered block, counted from 0. */
export interface LineRange {
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** The text that a block was rendered from, which may be an older one or a part of the note, by its requests. */
export interface Rendered {
  readonly blocks: readonly KeyedBlock[];
  readonly place: LineRange;
}

/** What is always known about a rendered block. */
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
  const [only, ...others] = blocksLike(blocks, request);
  if (only === undefined || others.length === 0) return only;
  if (rendered === undefined) return undefined;
  const shown = blocksLike(rendered.blocks, request);
  const index = indexAt(shown, rendered.place);
  // As many as in the note now: they stand in the same order.
  return shown.length === others.length + 1 ? [only, ...others][index] : undefined;
}

/** The requests that look like this one. Looked up once for all that are rendered of a note. */
export function blocksLike(
  blocks: readonly KeyedBlock[],
  { language, body }: RenderedRequest,
): readonly KeyedBlock[] {
  const known =
    byLook.get(blocks) ??
    Map.groupBy(blocks, ({ block: { source, fence } }) =>
      lookOf(languageOf(fence.info), bodyOf(source)),
    );
  byLook.set(blocks, known);
  return known.get(lookOf(language, withoutLastBreaks(body))) ?? [];
}

const byLook = new WeakMap<readonly KeyedBlock[], ReadonlyMap<string, readonly KeyedBlock[]>>();

function lookOf(language: string, body: string): string {
  return `${language.toLowerCase()}\n${body}`;
}

function indexAt(blocks: readonly KeyedBlock[], { lineStart, lineEnd }: LineRange): number {
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
