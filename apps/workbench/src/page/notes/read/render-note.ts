import type { MarkdownIt, Token } from 'markdown-it';
import type { Block } from '../../../contract.ts';
import { createParser } from '../../parts/content/render-markdown.ts';
import { wikiLinks } from './wiki-links.ts';

/** A piece of a note in reading order: prose, or a block that stands alone. */
export type NotePart =
  | { readonly kind: 'prose'; readonly line: number; readonly html: string }
  | { readonly kind: 'block'; readonly line: number; readonly key: string };

/**
 * The HTML of a note whose results are masked, in pieces that stay equal while results come and go.
 * Blocks inside lists, quotes and HTML are marked in their piece by the title that `markOf` gives;
 * those that have no place in it come last.
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

/** Writes what it is given for a fence; what is not ours is written as usual. */
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

/** The tokens of each element at the top. */
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

/** HTML that may hold what follows it, as `<details>` does; it cannot be cut into pieces. */
function hasOpenHtml(tokens: readonly Token[]): boolean {
  return tokens.some(({ type, content }) => type === 'html_block' && !isComment.test(content));
}

const isComment = /^\s*<!--[\s\S]*-->\s*$/;

/** `^id` names a block for links; readers need not see it. */
function isShown({ type, content }: Token): boolean {
  return !(type === 'inline' && /^\^[A-Za-z0-9-]+$/.test(content));
}

function lineOf(token: Token | undefined): number {
  return (token?.map?.[0] ?? 0) + 1;
}
