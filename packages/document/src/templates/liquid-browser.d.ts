/** The build of LiquidJS that imports nothing of Node, as far as it is used: its own types bring those of Node along. */
declare module 'liquidjs/dist/liquid.browser.mjs' {
  export class Context {
    constructor(
      variables: object,
      options: object,
      render: { readonly sync: boolean },
      limits: { readonly renderLimit: TimeLimit },
    );
    readonly renderLimit: TimeLimit;
  }
  export interface TimeLimit {
    /** Throws when the time is over. */
    check(): void;
  }
  export type FilterHandler = (
    this: { readonly context: Context },
    ...values: unknown[]
  ) => unknown;
  export type Filter = FilterHandler | { readonly handler: FilterHandler; readonly raw?: boolean };
  /** Its last operand is the context. */
  export type Operator = (...operands: readonly unknown[]) => unknown;
  export class Value {
    constructor(expression: string, engine: { readonly options: object; readonly filters: object });
    value(context: Context, isLenient: boolean): unknown;
  }
  export const defaultOptions: { readonly operators: Readonly<Record<string, Operator>> };
  export const filters: Readonly<Record<string, Filter>>;
  export function toValueSync(value: unknown): unknown;
}
