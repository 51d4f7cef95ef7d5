/** Checks values against schemas that could take for ever, and gives up in time. */
export interface SchemaGuard {
  /** The problems found, or `undefined` when that cannot be found out in time. Throws for a broken schema. */
  check(schema: Schema, value: unknown): Promise<readonly ParameterProblem[] | undefined>;
}

export type Schema = Readonly<Record<string, unknown>>;

/** One thing that is wrong with the parameters of a call. */
export interface ParameterProblem {
  /** Dotted path of the parameter; empty when it is about all of them. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}
