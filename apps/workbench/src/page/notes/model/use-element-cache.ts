import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';

type Keep = (key: string, make: () => VNode) => VNode;

/**
 * Elements by key. One that was made for a key when this was drawn last is given again, which spares
 * drawing it; none outlives the inputs that all are made from.
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
