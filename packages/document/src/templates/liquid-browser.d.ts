/** The build of LiquidJS that imports nothing of Node, as far as it is used: its own types bring those of Node along. */
declare module 'liquidjs/dist/liquid.browser.mjs' {
  export class Context {
    constructor(variables: object, options: object, render: { readonly sync: boolean });
  }
  export class Value {
    constructor(expression: string, engine: { readonly options: object; readonly filters: object });
    value(context: Context, isLenient: boolean): unknown;
  }
  export const defaultOptions: object;
  export const filters: object;
  export function toValueSync(value: unknown): unknown;
}
