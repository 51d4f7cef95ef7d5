import MarkdownIt, { type Token } from 'markdown-it';

/** A fenced block of a note; lines are counted from 0. */
export interface FencedBlock {
  readonly language: string;
  readonly body: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** A block at the margin, with all that stands in it; lines are counted from 0. */
export interface Section {
  readonly kind: 'fence' | 'callout' | 'embed' | 'other';
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly tokens: readonly Token[];
}

const markdown = new MarkdownIt();
// Only what is shown is read within its lines.
markdown.core.ruler.disable(['inline', 'text_join']);

/** The blocks of a note at its margin, in order. */
export function sectionsOf(text: string): readonly Section[] {
  const tokens = markdown.parse(withoutProperties(text), {});
  const sections: Section[] = [];
  let from = 0;
  tokens.forEach((token, index) => {
    if (token.level !== 0 || token.nesting === 1) return;
    const own = tokens.slice(from, index + 1);
    from = index + 1;
    const [lineStart, end] = own[0]?.map ?? [0, 1];
    sections.push({ kind: kindOf(own), lineStart, lineEnd: end - 1, tokens: own });
  });
  return sections;
}

/** The fenced blocks in a section, as those see them whom they stand in: without quote marks and indent. */
export function fencesOf({ tokens }: Section): readonly FencedBlock[] {
  return tokens.filter(({ type }) => type === 'fence').map(fencedBlock);
}

function fencedBlock({ info, content, map }: Token): FencedBlock {
  const [lineStart, end] = map ?? [0, 1];
  const [language = ''] = info.trim().split(/\s/);
  return { language, body: content.replace(/\n$/, ''), lineStart, lineEnd: end - 1 };
}

/** What a line that is an embed shows: a note, or one of its headings. */
export function embedOf({ tokens }: Section): Embed | undefined {
  const [, link = ''] = /^!\[\[([^\]|]+)[^\]]*\]\]$/.exec(tokens[1]?.content ?? '') ?? [];
  const [name = '', heading] = link.split('#');
  return name === '' ? undefined : { path: /\.\w+$/.test(name) ? name : `${name}.md`, heading };
}

export interface Embed {
  readonly path: string;
  readonly heading: string | undefined;
}

/** A heading with all that stands under it. */
export function textUnder(text: string, heading: string): string {
  const levelOf = ({ tokens: [open] }: Section) =>
    open?.type === 'heading_open' ? Number(open.tag.slice(1)) : 7;
  const sections = sectionsOf(text);
  const at = sections.findIndex((each) => levelOf(each) < 7 && each.tokens[1]?.content === heading);
  const own = sections[at];
  if (own === undefined) return '';
  const next = sections.slice(at + 1).find((each) => levelOf(each) <= levelOf(own));
  return text.split('\n').slice(own.lineStart, next?.lineStart).join('\n');
}

function kindOf(tokens: readonly Token[]): Section['kind'] {
  const [first, second, third] = tokens;
  if (first?.type === 'fence') return 'fence';
  const isCallout = first?.type === 'blockquote_open' && third?.content.startsWith('[!');
  if (isCallout) return 'callout';
  const isEmbed = first?.type === 'paragraph_open' && second?.content.startsWith('![[');
  return isEmbed ? 'embed' : 'other';
}

/** The properties at the beginning are no part of what is rendered; the lines keep their numbers. */
function withoutProperties(text: string): string {
  const [properties] = /^\uFEFF?---\n(?:.*\n)*?---(?:\n|$)/.exec(text) ?? [];
  if (properties === undefined) return text;
  return '\n'.repeat(properties.split('\n').length - 1) + text.slice(properties.length);
}

/** HTML of tokens; fences whose language a plugin shows are left as empty places, in their order. */
export function htmlOf(
  tokens: readonly Token[],
  isShown: (block: FencedBlock) => boolean,
): { readonly html: string; readonly blocks: readonly FencedBlock[] } {
  const blocks: FencedBlock[] = [];
  for (const token of tokens) {
    if (token.type !== 'inline' || token.children === null) continue;
    token.children = [];
    markdown.inline.parse(token.content, markdown, {}, token.children);
  }
  const { renderer } = new MarkdownIt();
  const plain = renderer.rules.fence;
  renderer.rules.fence = (all, index, ...rest) => {
    const token = all[index];
    const block = token && fencedBlock(token);
    if (block === undefined || !isShown(block)) return plain?.(all, index, ...rest) ?? '';
    blocks.push(block);
    return '<div data-block></div>';
  };
  return { html: renderer.render([...tokens], markdown.options, {}), blocks };
}
