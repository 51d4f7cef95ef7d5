import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from './protocol.ts';

interface ParamHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const encoded = /^=\?base64\?(.*)\?=$/s;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const unsafe = /[^\t\x20-\x7e]/;

const known = new WeakMap<JsonObject, readonly ParamHeader[]>();

/** Which of the parameters that a schema mirrors into headers (`x-mcp-header`) has a wrong header. */
export function wrongParamHeader(
  schema: JsonObject,
  given: JsonObject,
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const { header, path } of paramHeaders(schema)) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), given);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const sent = headers[header];
    if (sent === undefined) return `the header ${header} is missing for "${path.join('.')}"`;
    if (!isSame(decodeHeaderValue(String(sent)), value)) {
      return `the header ${header} says "${sent}", the body "${value}"`;
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

function isSame(sent: string | undefined, value: unknown): boolean {
  if (typeof value !== 'number') return sent === String(value);
  return sent !== undefined && sent.trim() !== '' && Number(sent) === value;
}

function paramHeaders(schema: JsonObject): readonly ParamHeader[] {
  const found = known.get(schema) ?? walk(schema, []);
  known.set(schema, found);
  return found;
}

function walk({ properties }: JsonObject, path: readonly string[]): ParamHeader[] {
  if (!isObject(properties) || path.length > 16) return [];
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return [];
    const name = property['x-mcp-header'];
    const own = typeof name === 'string' && name !== '';
    const here = [...path, key];
    const below = walk(property, here);
    return own ? [{ header: `mcp-param-${name.toLowerCase()}`, path: here }, ...below] : below;
  });
}
