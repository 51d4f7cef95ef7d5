import createPurifier, { type Config } from 'dompurify';
import createMarkdownIt, { type MarkdownIt } from 'markdown-it';

/** CommonMark with tables and strikethrough. HTML in it is kept by the parser and judged by `sanitize`. */
export function createParser(): MarkdownIt {
  return createMarkdownIt({ html: true, linkify: false });
}

/** HTML without anything that acts, loads from elsewhere, or changes the page around it. */
export function sanitize(html: string): DocumentFragment {
  const fragment = createPurifier(window).sanitize(html, config);
  for (const link of fragment.querySelectorAll('a[href]')) {
    if (link.getAttribute('href')?.startsWith('#')) continue;
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  return fragment;
}

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
  ],
  FORBID_ATTR: ['style', 'id', 'name', 'class', 'autofocus', 'tabindex', 'popover'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP:
    /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp);|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  RETURN_DOM_FRAGMENT: true,
} as const satisfies Config;
