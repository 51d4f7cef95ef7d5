type Json = Readonly<Record<string, unknown>>;

/** A parameter that is also sent as a header, so that proxies can route by it (newer era). */
export interface ParamHeader {
  readonly path: readonly string[];
  readonly header: string;
}

const declaration = 'x-mcp-header';
const headerToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const allowedTypes = ['string', 'integer', 'boolean'];
/** Keywords whose values are data, not schemas. */
const literalKeywords = ['const', 'default', 'enum', 'examples'];
const deepest = 64;

/** The header parameters that an input schema declares, or why its declarations are wrong. */
export function findParamHeaders(schema: Json): readonly ParamHeader[] | string {
  const found: ParamHeader[] = [];
  const wrong = visit(schema, [], true, found);
  if (wrong !== undefined) return wrong;
  const names = found.map(({ header }) => header.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? found : `two parameters declare the header ${twice}`;
}

/** The headers of one call. A parameter that is not given has none. */
export function paramHeaders(
  declared: readonly ParamHeader[],
  input: Json,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const value = path.reduce<unknown>(
      (node, key) => (node as Json | null | undefined)?.[key],
      input,
    );
    const isWritable =
      typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
    if (isWritable) headers[`Mcp-Param-${header}`] = encodeHeaderValue(String(value));
  }
  return headers;
}

/** A text as a header value: as it is when that is safe, else in base64 between marks. */
export function encodeHeaderValue(text: string): string {
  const isPlain =
    /^[\t\x20-\x7e]+$/.test(text) && text.trim() === text && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Walks the whole schema: a declaration is right only on a chain of `properties`. */
function visit(
  node: unknown,
  path: readonly string[],
  isOnChain: boolean,
  found: ParamHeader[],
): string | undefined {
  if (typeof node !== 'object' || node === null || path.length > deepest) return undefined;
  const header = (node as Json)[declaration];
  if (header !== undefined) {
    const where = path.join('.');
    const type = (node as Json).type;
    if (!isOnChain || path.length === 0)
      return `${where} declares a header where none may be declared`;
    if (typeof header !== 'string' || !headerToken.test(header))
      return `${where} declares an impossible header name`;
    if (!allowedTypes.includes(String(type)))
      return `${where} declares a header but is no string, integer or boolean`;
    found.push({ path, header });
  }
  for (const [key, child] of Object.entries(node)) {
    if (key === 'properties' && typeof child === 'object' && child !== null) {
      for (const [name, property] of Object.entries(child)) {
        const wrong = visit(property, [...path, name], isOnChain, found);
        if (wrong !== undefined) return wrong;
      }
    } else if (!literalKeywords.includes(key)) {
      const wrong = visit(child, [...path, key], false, found);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}
