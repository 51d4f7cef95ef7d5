/** Asks a person for a server's elicitation; `decline` when nobody can answer. */
export interface Elicitor {
  elicit(question: ElicitQuestion, signal: AbortSignal): Promise<ElicitAnswer>;
}

export type ElicitQuestion = {
  /** The name of the server that asks. */
  readonly server: string;
  readonly message: string;
} & (
  | {
      readonly kind: 'form';
      /** A flat JSON Schema of the wanted fields. */
      readonly schema: Readonly<Record<string, unknown>>;
    }
  /** Asks the person to open a web page (see `webAddress`). */
  | { readonly kind: 'url'; readonly url: string }
);

export type ElicitAnswer =
  | {
      readonly action: 'accept';
      readonly content?: Readonly<Record<string, string | number | boolean | string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };
