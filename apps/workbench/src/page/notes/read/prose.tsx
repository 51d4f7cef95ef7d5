import { type ComponentChild, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Addresses, sanitize } from '../../parts/content/render-markdown.ts';
import '../../parts/content/markdown.css';

/** Unguessable, so that a note cannot forge a block marker. */
const secret = crypto.randomUUID();

/** The title attribute that marks the position of a block. */
export function markOf(key: string): string {
  return `${secret} ${key}`;
}

export interface ProseProps {
  readonly html: string;
  readonly addresses: Addresses;
  /** Renders the block of a marker. */
  readonly renderBlock: (key: string) => ComponentChild;
}

/** Rendered prose with the cards of nested blocks. */
export function Prose({ html, addresses, renderBlock }: ProseProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const fragment = sanitize(html, addresses);
    const places = [...fragment.querySelectorAll<HTMLElement>(`[title^="${secret}"]`)];
    element.current?.replaceChildren(fragment);
    for (const place of places) {
      const key = place.title.slice(secret.length + 1);
      place.removeAttribute('title');
      place.className = 'block-place';
      render(renderBlock(key), place);
    }
    return () => {
      for (const place of places) render(null, place);
    };
  }, [html, addresses, renderBlock]);
  return <div ref={element} class="prose markdown" />;
}
