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
  const cards = useRef<ReadonlyMap<string, HTMLElement>>(new Map());
  useLayoutEffect(() => {
    const { activeElement } = document;
    const focused = element.current?.contains(activeElement) ? activeElement : null;
    const fragment = sanitize(html, addresses);
    const places = new Map<string, HTMLElement>();
    for (const marker of fragment.querySelectorAll<HTMLElement>(`[title^="${secret}"]`)) {
      const key = marker.title.slice(secret.length + 1);
      const place = cards.current.get(key) ?? marker;
      place.removeAttribute('title');
      place.className = 'block-place';
      if (place !== marker) marker.replaceWith(place);
      places.set(key, place);
    }
    element.current?.replaceChildren(fragment);
    for (const [key, place] of places) render(renderBlock(key), place);
    for (const [key, place] of cards.current) if (!places.has(key)) render(null, place);
    cards.current = places;
    // Moving a card takes the focus from what is in it.
    if (focused instanceof HTMLElement && focused.isConnected)
      focused.focus({ preventScroll: true });
  }, [html, addresses, renderBlock]);
  useLayoutEffect(
    () => () => {
      for (const place of cards.current.values()) render(null, place);
    },
    [],
  );
  return <div ref={element} class="prose markdown" />;
}
