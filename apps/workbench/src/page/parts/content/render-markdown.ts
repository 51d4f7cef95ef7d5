import createPurifier, { type Config } from 'dompurify';
import createMarkdownIt, { type MarkdownIt } from 'markdown-it';

/** CommonMark with tables and strikethrough. HTML in it is kept by the parser and judged by `sanitize`. */
export function createParser(): MarkdownIt {
  const parser = createMarkdownIt({ html: true, linkify: false });
  for (const rule of ['th_open', 'td_open']) {
    parser.renderer.rules[rule] = (tokens, index, options, _, renderer) => {
      const token = tokens[index];
      const align = /^text-align:(\w+)$/.exec(String(token?.attrGet('style') ?? ''))?.[1];
      // The page's policy refuses inline styles, but not this attribute.
      if (token && align !== undefined) token.attrs = [['align', align]];
      return renderer.renderToken(tokens, index, options);
    };
  }
  return parser;
}

/** Resolves addresses that are not web addresses; undefined for those that lead nowhere. */
export interface Addresses {
  link(address: string): string | undefined;
  image(address: string): string | undefined;
}

/** Sanitizes HTML: no scripts, no external loads, no effect on the surrounding page. */
export function sanitize(html: string, addresses: Addresses = nowhere): DocumentFragment {
  const fragment = createPurifier(window).sanitize(html, config);
  for (const link of fragment.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href') ?? '';
    const target = isOfTheWeb.test(address) ? address : addresses.link(address);
    if (target === undefined) link.removeAttribute('href');
    else link.setAttribute('href', target);
    if (target === undefined || target.startsWith('#')) continue;
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  for (const image of fragment.querySelectorAll('img')) placeImage(image, addresses);
  // Wide tables and code scroll sideways, so they must be focusable by keyboard.
  for (const wide of fragment.querySelectorAll('pre, table')) wide.setAttribute('tabindex', '0');
  return fragment;
}

/** Replaces remote images by links: loading them would reveal the reader. */
function placeImage(image: HTMLImageElement, addresses: Addresses): void {
  const address = image.getAttribute('src') ?? '';
  const name = image.getAttribute('alt') || address.slice(0, 200);
  if (/^(?:https?:)?\/\//i.test(address)) {
    const link = document.createElement('a');
    for (const [attribute, value] of Object.entries({ ...elsewhere, href: address })) {
      link.setAttribute(attribute, value);
    }
    link.textContent = `Picture: ${name}`;
    image.replaceWith(link);
    return;
  }
  const source = /^data:/i.test(address) ? address : addresses.image(address);
  if (source === undefined) image.replaceWith(name);
  else image.setAttribute('src', source);
}

const elsewhere = { target: '_blank', rel: 'noopener noreferrer' };
const isOfTheWeb = /^(?:https?:|mailto:|\/\/)/i;
const nowhere: Addresses = { link: () => undefined, image: () => undefined };

const config = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'style',
    'form',
    'input',
    'button',
    'textarea',
    'select',
    'dialog',
    'audio',
    'video',
    'map',
    'area',
    'picture',
    'source',
  ],
  FORBID_ATTR: [
    'style',
    'id',
    'name',
    'class',
    'autofocus',
    'tabindex',
    'popover',
    'srcset',
    'background',
    'poster',
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP:
    /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp);|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  RETURN_DOM_FRAGMENT: true,
} as const satisfies Config;
