import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';

type Keep = (key: string, make: () => VNode) => VNode;

/**
 * Reuses the elements of the previous render by key, so that unchanged ones are not rendered again.
 * The cache is dropped when an input changes.
 */
export function useElementCache(...inputs: readonly unknown[]): Keep {
  const last = useRef<{ inputs: readonly unknown[]; elements: Map<string, VNode> } | null>(null);
  const isSame = last.current?.inputs.every((input, index) => input === inputs[index]) ?? false;
  const before = isSame ? last.current?.elements : undefined;
  const elements = new Map<string, VNode>();
  last.current = { inputs, elements };
  return (key, make) => {
    const element = before?.get(key) ?? make();
    elements.set(key, element);
    return element;
  };
}
