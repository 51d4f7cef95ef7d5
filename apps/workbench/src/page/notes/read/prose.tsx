import { type ComponentChild, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Addresses, sanitize } from '../../parts/content/render-markdown.ts';
import '../../parts/content/markdown.css';

/** Nobody can guess it, so no note can hold a mark of its own making. */
const secret = crypto.randomUUID();

/** The title by which HTML says that a block stands there. */
export function markOf(key: string): string {
  return `${secret} ${key}`;
}

export interface ProseProps {
  readonly html: string;
  readonly addresses: Addresses;
  /** What stands where a block is marked. */
  readonly renderBlock: (key: string) => ComponentChild;
}

/** A piece of a note as a reader sees it, with its blocks where they stand. */
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
