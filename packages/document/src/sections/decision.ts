import { type Binding, describeOrigin } from './binding.ts';

/** Which server the calls of a place go to, and why. */
export type Decision =
  /** No binding reaches the place: any server may be asked. */
  | { readonly kind: 'unbound' }
  | {
      readonly kind: 'bound';
      readonly server: string;
      readonly binding: Binding;
      /** The heading above that the binding is inherited from; null when it is the place's own. */
      readonly inheritedFrom: string | null;
    }
  /** A binding is broken: no server may be asked. */
  | { readonly kind: 'refused'; readonly message: string };

/** Why no server may be called in a place; people and models are told the same. */
export function explainRefusal({
  message,
}: Extract<Decision, { readonly kind: 'refused' }>): string {
  return `No server may be called here. ${message}`;
}

/** The decision for a named place as a sentence: `## Weather -> weather (frontmatter line 4)`. */
export function explainDecision(place: string, decision: Decision): string {
  switch (decision.kind) {
    case 'unbound':
      return `${place} -> any server (no binding)`;
    case 'bound': {
      const from = decision.inheritedFrom === null ? '' : `, from ${decision.inheritedFrom}`;
      return `${place} -> ${decision.server} (${describeOrigin(decision.binding.origin)}${from})`;
    }
    case 'refused':
      return `${place} -> refused (${decision.message})`;
  }
}
