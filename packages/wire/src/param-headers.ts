import { isRecord, type JsonObject } from './is-record.ts';
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

const encoded = /^=\?base64\?(.*)\?=$/s;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const unsafe = /[^\t\x20-\x7e]/;

const known = new WeakMap<JsonObject, readonly ParamHeader[]>();

/** The headers of a request by their names in lower case. */
type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The header parameters that an input schema declares, or why its declarations are wrong. */
export function findParamHeaders(schema: JsonObject): readonly ParamHeader[] | string {
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
  input: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const value = path.reduce<unknown>(
      (node, key) => (node as JsonObject | null | undefined)?.[key],
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

/** Which of the parameters that a schema mirrors into headers (`x-mcp-header`) has a wrong header. */
export function wrongParamHeader(
  schema: JsonObject,
  given: JsonObject,
  headers: RequestHeaders,
): string | undefined {
  for (const { header, path } of declaredHeaders(schema)) {
    const value = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), given);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const name = `mcp-param-${header.toLowerCase()}`;
    const sent = headers[name];
    if (sent === undefined) return `the header ${name} is missing for "${path.join('.')}"`;
    if (!isSame(decodeHeaderValue(String(sent)), value)) {
      return `the header ${name} says "${sent}", the body "${value}"`;
    }
  }
  return undefined;
}

/** A header's value, out of base64 if need be; undefined when it is malformed. */
export function decodeHeaderValue(value: string): string | undefined {
  const content = encoded.exec(value)?.[1];
  if (content === undefined) return unsafe.test(value) ? undefined : value;
  if (!base64.test(content)) return undefined;
  const bytes = Buffer.from(content, 'base64');
  const text = bytes.toString();
  return bytes.equals(Buffer.from(text)) ? text : undefined;
}

/** Walks the whole schema: a declaration is right only on a chain of `properties`. */
function visit(
  node: unknown,
  path: readonly string[],
  isOnChain: boolean,
  found: ParamHeader[],
): string | undefined {
  if (typeof node !== 'object' || node === null || path.length > deepest) return undefined;
  const header = (node as JsonObject)[declaration];
  if (header !== undefined) {
    const where = path.join('.');
    const type = (node as JsonObject).type;
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

function isSame(sent: string | undefined, value: unknown): boolean {
  if (typeof value !== 'number') return sent === String(value);
  return sent !== undefined && sent.trim() !== '' && Number(sent) === value;
}

function declaredHeaders(schema: JsonObject): readonly ParamHeader[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const found = findParamHeaders(schema);
  // A tool whose declarations are wrong is left out by its clients; nothing is mirrored for it.
  const declared = typeof found === 'string' ? [] : found;
  known.set(schema, declared);
  return declared;
}
