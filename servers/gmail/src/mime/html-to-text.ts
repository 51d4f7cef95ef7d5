import { Tokenizer } from 'htmlparser2';

/**
 * The text of an HTML mail: paragraphs and rows on lines of their own, links followed by their address. It reads
 * tokens and keeps no tree, so its time is linear and no depth of nesting is too much.
 */
export function htmlToText(html: string): string {
  const out: string[] = [];
  let tag = '';
  let attribute = '';
  let value = '';
  let href = '';
  let alt = '';
  let linkStart = 0;
  let hidden = '';
  let preformatted = 0;
  // Line breaks that are due before the next text: neighbouring blocks share theirs.
  let breaks = 0;
  const text = (given: string) => {
    if (hidden !== '') return;
    const piece = preformatted > 0 ? given : given.replace(/[ \t\r\n\f]+/g, ' ');
    if (breaks > 0 && piece.trim() === '') return;
    if (breaks > 0) out.push('\n'.repeat(breaks));
    breaks = 0;
    out.push(piece);
  };
  const block = (name: string) => {
    breaks = Math.max(breaks, paragraphs.has(name) ? 2 : lines.has(name) ? 1 : 0);
  };
  const opened = () => {
    if (hidden !== '') return;
    if (hiddenTags.has(tag)) hidden = tag;
    else if (tag === 'a') linkStart = out.length;
    else if (tag === 'img' && alt !== '') text(alt);
    else if (tag === 'pre') preformatted += 1;
    else if (tag === 'br') out.push('\n');
    block(tag);
    if (tag === 'li') text('- ');
  };
  const closed = (name: string) => {
    if (hidden !== '') {
      if (name === hidden) hidden = '';
      return;
    }
    if (name === 'a' && /^https?:/i.test(href)) {
      const label = out.slice(linkStart).join('').trim();
      const isPlain = label === '' || href.includes(label) || label.includes(href);
      if (!isPlain) out.push(` (${href})`);
      href = '';
    } else if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
    if (name === 'td' || name === 'th') text(' ');
    else block(name);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (codepoint) => text(String.fromCodePoint(codepoint)),
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase();
        alt = '';
        if (tag === 'a') href = '';
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata(start, end) {
        value += html.slice(start, end);
      },
      onattribentity(codepoint) {
        value += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (attribute === 'href' && tag === 'a') href = value.trim();
        if (attribute === 'alt') alt = value;
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => closed(html.slice(start, end).toLowerCase()),
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return tidy(out.join(''));
}

const hiddenTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'template',
  'noscript',
]);

const paragraphs: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr'.split(' '),
);
const lines: ReadonlySet<string> = new Set(
  'div tr li dt dd section article header footer main address form center'.split(' '),
);

/** Preheaders of newsletters are padded with characters of no width. */
const invisible = /\u034f|[\u00ad\u200b-\u200f\u2060\ufeff]/g;

function tidy(text: string): string {
  return text
    .replace(invisible, '')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd().replace(/^ (?! )/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
