/** Asks a person what a server wants to know. Nobody there is an answer too: `decline`. */
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
  /** The person is to open an address of the web (see `webAddress`) and do something there. */
  | { readonly kind: 'url'; readonly url: string }
);

export type ElicitAnswer =
  | {
      readonly action: 'accept';
      readonly content?: Readonly<Record<string, string | number | boolean | string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };
