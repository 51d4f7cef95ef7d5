declare module 'commonmark-spec' {
  /** The examples of the CommonMark specification. */
  export const tests: readonly { readonly number: number; readonly markdown: string }[];
}
