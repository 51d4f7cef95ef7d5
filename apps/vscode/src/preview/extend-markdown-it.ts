import { readResult, renderResult } from './render-result.ts';

/** What of markdown-it the preview is extended by. */
export interface MarkdownIt {
  readonly renderer: { readonly rules: { fence?: RenderRule; readonly image?: RenderRule } };
}

interface Token {
  readonly info: string;
  content: string;
  attrs: [name: string, value: string][] | null;
  children: Token[] | null;
}

type TokenClass = new (type: string, tag: string, nesting: number) => Token;

type RenderRule = (tokens: readonly Token[], index: number, ...rest: readonly unknown[]) => string;

/** Lets a Markdown preview show results as results, and everything else as before. */
export function extendMarkdownIt<Extended extends MarkdownIt>(markdown: Extended): Extended {
  const { rules } = markdown.renderer;
  const before = rules.fence;
  rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    const result = token && readResult(token.info, token.content);
    if (result === undefined) return before?.(tokens, index, ...rest) ?? '';
    // The editor finds the file of a picture, and gives it an address that the preview may load.
    const showPicture = (address: string, path: string) =>
      rules.image?.([pictureToken(token?.constructor as TokenClass, address, path)], 0, ...rest);
    return renderResult(result, showPicture);
  };
  return markdown;
}

function pictureToken(Made: TokenClass, address: string, path: string): Token {
  const picture = new Made('image', 'img', 0);
  const name = new Made('text', '', 0);
  name.content = path;
  picture.attrs = [
    ['src', address],
    ['alt', ''],
  ];
  picture.children = [name];
  picture.content = path;
  return picture;
}
