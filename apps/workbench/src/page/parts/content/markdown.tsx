import { useLayoutEffect, useRef } from 'preact/hooks';
import './markdown.css';
import { createParser, sanitize } from './render-markdown.ts';

/** Rendered and sanitized Markdown. */
export function Markdown({ text }: { readonly text: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.replaceChildren(sanitize(createParser().render(text)));
  }, [text]);
  return <div ref={element} class="markdown" />;
}
