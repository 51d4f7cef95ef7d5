/** The build of LiquidJS that imports nothing of Node. */
declare module 'liquidjs/dist/liquid.browser.mjs' {
  export { Context, defaultOptions, filters, type Liquid, toValueSync, Value } from 'liquidjs';
}
