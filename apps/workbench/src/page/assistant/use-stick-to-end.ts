import { useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the end of a list in sight while it grows, unless the person has scrolled away from it. */
export function useStickToEnd(
  element: { readonly current: HTMLElement | null },
  content: unknown,
): () => void {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [element, content]);
  return () => {
    const { current } = element;
    if (current === null) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearEnd;
  };
}

/** Pixels. */
const nearEnd = 60;
