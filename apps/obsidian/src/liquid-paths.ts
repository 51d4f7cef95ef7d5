/**
 * Takes the place of LiquidJS in the plugin, which has no room for it: expressions are paths such as
 * `blocks.trip.tags[0]`, and one with a filter says that it needs another program.
 */
export class Context {
  readonly variables: unknown;

  constructor(variables: unknown) {
    this.variables = variables;
  }
}

export class Value {
  readonly #expression: string;

  constructor(expression: string) {
    this.#expression = expression.trim();
  }

  value({ variables }: Context): unknown {
    if (!path.test(this.#expression)) {
      throw new Error('filters are not available in Obsidian; run the note with "errand run"');
    }
    let value: unknown = variables;
    const names: string[] = [];
    for (const { 1: bare, 2: index, 3: quoted } of this.#expression.matchAll(step)) {
      const name = bare ?? index ?? quoted ?? '';
      names.push(name);
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
        const missing = { originalError: { variableName: names.join('.') } };
        throw Object.assign(new Error('undefined variable'), missing);
      }
      value = (value as Readonly<Record<string, unknown>>)[name];
    }
    return value;
  }
}

const path = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\]|\["[^"\]]*"\]|\['[^'\]]*'\])*$/;
const step = /(?:^|\.)([\w-]+)|\[(\d+)\]|\[["']([^"'\]]*)["']\]/g;

export const toValueSync = (value: unknown): unknown => value;
export const defaultOptions = {};
export const filters = {};
