import type { MarkdownIt, Token } from 'markdown-it';
import type { Block } from '../../../contract.ts';
import { createParser } from '../../parts/content/render-markdown.ts';
import { wikiLinks } from './wiki-links.ts';

/** A piece of a note in reading order: prose, or a block that stands alone. */
export type NotePart =
  | { readonly kind: 'prose'; readonly line: number; readonly html: string }
  | { readonly kind: 'block'; readonly line: number; readonly key: string };

/**
 * Renders a masked note to pieces that stay equal while results change. Blocks inside lists, quotes
 * and HTML are marked in their piece by the title from `markOf`; blocks without a position come
 * last.
 */
export function renderNote(
  text: string,
  blocks: readonly Pick<Block, 'key' | 'line'>[],
  markOf: (key: string) => string,
): readonly NotePart[] {
  const keys = new Map(blocks.map(({ key, line }) => [line, key]));
  const placed = new Set<string>();
  const place = (token: Token | undefined) => {
    const key = token?.type === 'fence' ? keys.get(lineOf(token)) : undefined;
    if (key !== undefined) placed.add(key);
    return key;
  };
  const parser = createNoteParser((token) => {
    const key = place(token);
    return key && `<div title="${markOf(key)}"></div>\n`;
  });
  const tokens = parser.parse(text, {});
  const prose = (piece: readonly Token[]): NotePart => {
    const html = parser.renderer.render(piece.filter(isShown), parser.options, {});
    return { kind: 'prose', line: lineOf(piece[0]), html };
  };
  const parts = hasOpenHtml(tokens)
    ? [prose(tokens)]
    : pieces(tokens).map((piece): NotePart => {
        const key = place(piece[0]);
        if (key === undefined) return prose(piece);
        return { kind: 'block', line: lineOf(piece[0]), key };
      });
  const unplaced = blocks.filter(({ key }) => !placed.has(key));
  return [...parts, ...unplaced.map(({ key, line }) => ({ kind: 'block' as const, line, key }))];
}

/** The HTML of Markdown that holds no blocks. */
export function renderProse(text: string): string {
  const parser = createParser();
  wikiLinks(parser);
  return parser.render(text);
}

/** A parser that renders tool blocks as markers and other fences as usual. */
function createNoteParser(
  placeFence: (token: Token | undefined) => string | undefined,
): MarkdownIt {
  const parser = createParser();
  wikiLinks(parser);
  const { fence } = parser.renderer.rules;
  parser.renderer.rules.fence = (tokens, index, ...rest) =>
    placeFence(tokens[index]) ?? fence?.(tokens, index, ...rest) ?? '';
  return parser;
}

/** Groups tokens by top-level element. */
function pieces(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const found: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) found.push([]);
    found.at(-1)?.push(token);
    depth += token.nesting;
  }
  return found;
}

/** HTML such as `<details>` may contain what follows, so the note cannot be split. */
function hasOpenHtml(tokens: readonly Token[]): boolean {
  return tokens.some(({ type, content }) => type === 'html_block' && !isComment.test(content));
}

const isComment = /^\s*<!--[\s\S]*-->\s*$/;

/** Hides `^id`, which only names a block for links. */
function isShown({ type, content }: Token): boolean {
  return !(type === 'inline' && /^\^[A-Za-z0-9-]+$/.test(content));
}

function lineOf(token: Token | undefined): number {
  return (token?.map?.[0] ?? 0) + 1;
}
