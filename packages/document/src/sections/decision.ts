import { type Binding, describeOrigin } from './binding.ts';

/** Which server the calls of a part of a note go to, and why. */
export type Decision =
  /** No binding applies: any server may be called. */
  | { readonly kind: 'unbound' }
  | {
      readonly kind: 'bound';
      readonly server: string;
      readonly binding: Binding;
      /** The heading above that the binding is inherited from; null when it is not inherited. */
      readonly inheritedFrom: string | null;
    }
  /** A binding is invalid: no server may be called. */
  | { readonly kind: 'refused'; readonly message: string };

/** The message for people and models that no server may be called here. */
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
