import type { IncomingHttpHeaders } from 'node:http';
import { findParamHeaders, type ParamHeader } from '@errand/wire';
import { isObject, type JsonObject } from './protocol.ts';

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
  for (const { header, path } of declaredHeaders(schema)) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), given);
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
