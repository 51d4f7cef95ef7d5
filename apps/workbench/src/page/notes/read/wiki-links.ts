import { isPicture } from '@errand/document/display';
import type { MarkdownIt, StateInline } from 'markdown-it';

/** Prefix of addresses that are names to resolve in the vault. */
export const wikiMark = '?wiki=';

/** Adds wiki links to a parser: `[[Note]]`, `[[Note#Heading|shown]]` and `![[picture.png]]`. */
export function wikiLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'wiki-link', (state, isSilent) => parse(state, isSilent));
}

function parse(state: StateInline, isSilent: boolean): boolean {
  const found = /^(!?)\[\[([^[\]\n|]+)(?:\|([^[\]\n]*))?\]\]/.exec(state.src.slice(state.pos));
  if (found === null) return false;
  const [whole, mark, target = '', shown] = found;
  if (!isSilent) {
    const address = wikiMark + encodeURIComponent(target.trim());
    if (mark === '!' && isPicture(target)) {
      const image = state.push('image', 'img', 0);
      image.attrs = [
        ['src', address],
        ['alt', ''],
      ];
      image.children = [];
      image.content = target;
      const text = new state.Token('text', '', 0);
      text.content = target.trim();
      image.children.push(text);
    } else {
      state.push('link_open', 'a', 1).attrs = [['href', address]];
      state.push('text', '', 0).content = (shown || target).trim();
      state.push('link_close', 'a', -1);
    }
  }
  state.pos += whole.length;
  return true;
}
