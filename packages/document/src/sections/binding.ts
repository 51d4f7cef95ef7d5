/** Where a binding is written. */
export type BindingOrigin =
  | { readonly kind: 'frontmatter'; readonly line: number }
  | {
      readonly kind: 'settings';
      /** Null when the entry does not say which. */
      readonly server: string | null;
      /** The notes that it binds, as written; null when it binds all. */
      readonly documentPath: string | null;
    };

/** What a binding binds. */
export type BindingTarget =
  | { readonly kind: 'lines'; readonly first: number; readonly last: number }
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'note' };

/** One binding as written: this part of the note to that server. */
export interface Binding {
  readonly origin: BindingOrigin;
  readonly target: BindingTarget;
  /** The server's registered name; null when the binding is broken. */
  readonly server: string | null;
  /** Why it is broken: its part of the note then refuses every call. */
  readonly fault: string | null;
  /** A heading's binding holds under nested headings too. */
  readonly inherit: boolean;
  /** It names a part of this one note. If that part is missing, the author meant another part of it. */
  readonly isOfThisNote: boolean;
}

/** A mistake in a binding, for a person. */
export interface BindingProblem {
  readonly message: string;
  /** The line of the frontmatter it is on; null when it is in the settings. */
  readonly line: number | null;
}

/** All bindings that one source holds for a note. */
export interface BindingSource {
  readonly bindings: readonly Binding[];
  /** Set when the source cannot be understood: then the whole note refuses every call. */
  readonly fault: string | null;
  readonly problems: readonly BindingProblem[];
}

/** `frontmatter line 4`, `settings of weather`. */
export function describeOrigin(origin: BindingOrigin): string {
  if (origin.kind === 'frontmatter') return `frontmatter line ${origin.line}`;
  return origin.server === null ? 'settings' : `settings of ${origin.server}`;
}

/** `Frontmatter line 4: …`: a mistake as a sentence of its own. */
export function describeMistake(origin: BindingOrigin, mistake: string): string {
  return capitalized(`${describeOrigin(origin)}: ${mistake}`);
}

export function capitalized(sentence: string): string {
  return sentence.replace(/^./, (first) => first.toUpperCase());
}
