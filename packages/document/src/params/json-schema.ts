/** Reads an untrusted JSON Schema: any part may be missing or have the wrong type. */
type Schema = Readonly<Record<string, unknown>>;

/** One form that a value may have, after references and combinations are resolved. */
export interface Alternative {
  /** The JSON types it allows; null when it allows any. */
  readonly types: ReadonlySet<string> | null;
  /** The only values it allows; null when it allows any. */
  readonly values: readonly unknown[] | null;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
  readonly additionalProperties: unknown;
  readonly prefixItems: readonly unknown[];
  readonly items: unknown;
}

const anything: Alternative = {
  types: null,
  values: null,
  properties: new Map(),
  required: [],
  additionalProperties: undefined,
  prefixItems: [],
  items: undefined,
};

// A hostile schema can refer to itself and multiply; beyond this many parts a value counts as untyped.
const maximumParts = 256;

/** The forms that a schema allows for a value. */
export function alternativesOf(schema: unknown, root: unknown): readonly Alternative[] {
  return new Expansion(root).expand(schema);
}

class Expansion {
  readonly #root: unknown;
  #left = maximumParts;

  constructor(root: unknown) {
    this.#root = root;
  }

  expand(schema: unknown): readonly Alternative[] {
    if (!isSchema(schema) || --this.#left < 0) return [anything];
    let alternatives: readonly Alternative[] = [ownKeywords(schema)];
    if (typeof schema.$ref === 'string') {
      alternatives = combine(alternatives, this.expand(resolve(schema.$ref, this.#root)));
    }
    for (const part of listOf(schema.allOf)) {
      alternatives = combine(alternatives, this.expand(part));
    }
    for (const branches of [listOf(schema.anyOf), listOf(schema.oneOf)]) {
      if (branches.length === 0) continue;
      const either = branches.slice(0, maximumParts).flatMap((branch) => this.expand(branch));
      alternatives = combine(alternatives, either);
    }
    return alternatives;
  }
}

function ownKeywords(schema: Schema): Alternative {
  const { type, nullable, items, prefixItems } = schema;
  const types = typeof type === 'string' ? [type] : listOf(type).filter(isString);
  if (types.length > 0 && nullable === true) types.push('null');
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  return {
    types: types.length === 0 ? null : new Set(types),
    values: 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : null,
    properties: new Map(properties),
    required: listOf(schema.required).filter(isString),
    additionalProperties: schema.additionalProperties,
    // Older drafts write a tuple as a list under `items`.
    prefixItems: listOf(prefixItems ?? items),
    items: Array.isArray(items) ? schema.additionalItems : items,
  };
}

function combine(
  left: readonly Alternative[],
  right: readonly Alternative[],
): readonly Alternative[] {
  return left.flatMap((a) => right.map((b) => both(a, b))).slice(0, maximumParts);
}

function both(a: Alternative, b: Alternative): Alternative {
  return {
    types: a.types === null ? b.types : b.types === null ? a.types : meet(a.types, b.types),
    values: a.values ?? b.values,
    properties: new Map([...a.properties, ...b.properties]),
    required: [...a.required, ...b.required],
    additionalProperties: a.additionalProperties ?? b.additionalProperties,
    prefixItems: a.prefixItems.length > 0 ? a.prefixItems : b.prefixItems,
    items: a.items ?? b.items,
  };
}

/** The types both allow; every integer is a number. */
function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  const types = new Set([...a].filter((type) => b.has(type)));
  if ((a.has('integer') && b.has('number')) || (b.has('integer') && a.has('number'))) {
    types.add('integer');
  }
  return types;
}

/** The part of the same schema that a local reference points to. */
function resolve(reference: string, root: unknown): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Schema)[name];
  }
  return at;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
