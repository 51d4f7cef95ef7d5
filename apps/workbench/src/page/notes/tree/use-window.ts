import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows rendered beyond the visible edge. */
const spare = 12;
/** Height of `.tree-row` in rem. */
const rowInRem = 1.875;

export interface Window<Target> {
  readonly element: RefObject<Target | null>;
  readonly first: number;
  readonly last: number;
  readonly rowHeight: number;
  /** Scrolls until a row is in sight. */
  readonly reveal: (row: number) => void;
}

/** The visible range of equally high rows in a scrolling element. */
export function useWindow<Target extends HTMLElement>(rows: number): Window<Target> {
  const element = useRef<Target>(null);
  const [rowHeight] = useState(
    () => rowInRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  );
  const [{ top, height }, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = () => setView({ top: current.scrollTop, height: current.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);
  // A list that became shorter scrolls back by itself.
  useEffect(() => {
    const { current } = element;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  }, [rows]);
  const first = Math.max(0, Math.min(rows, Math.floor(top / rowHeight)) - spare);
  return {
    element,
    first,
    last: Math.min(rows, Math.ceil((top + height) / rowHeight) + spare),
    rowHeight,
    reveal: (row) => {
      const { current } = element;
      if (current === null || row < 0) return;
      const [from, to] = [row * rowHeight, (row + 1) * rowHeight];
      if (from < current.scrollTop) current.scrollTop = from;
      if (to > current.scrollTop + current.clientHeight) {
        current.scrollTop = to - current.clientHeight;
      }
      setView({ top: current.scrollTop, height: current.clientHeight });
    },
  };
}
