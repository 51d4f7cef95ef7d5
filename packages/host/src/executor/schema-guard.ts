/** Checks values against schemas that may be slow without bound, with a deadline. */
export interface SchemaGuard {
  /** The problems found, or `undefined` when that cannot be found out in time. Throws for a broken schema. */
  check(schema: Schema, value: unknown): Promise<readonly ParameterProblem[] | undefined>;
}

export type Schema = Readonly<Record<string, unknown>>;

/** One parameter that does not fit the schema; `path` is dotted, and empty when it is about all of them. */
export type ParameterProblem =
  | { readonly kind: 'missing'; readonly path: string; readonly type?: string }
  | { readonly kind: 'unknown'; readonly path: string }
  | InvalidParameter;

/** A parameter whose value breaks a rule of the schema. */
export interface InvalidParameter {
  readonly kind: 'invalid';
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}
