import { isUtf8 } from 'node:buffer';
import { isRecord } from '@errand/wire';
/** What JSON-RPC says about a text that a client sends, whatever the gateway does with it. */
export type ExpectedAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'error'; readonly code: number; readonly id: string | number | null }
  /** Over HTTP as an error; over stdio nothing, because notifications and responses are not answered. */
  | { readonly kind: 'unanswerable'; readonly code: number; readonly id: string | number | null }
  /** A result, or an error whose code is given where only one is right. */
  | { readonly kind: 'answer'; readonly id: string | number; readonly code?: number }
  /** Answered when it is cancelled, or wrong in two ways of which either may be told. */
  | { readonly kind: 'unknown' };

const maxLevels = 200;
const longestId = 1_024;
const version = 'io.modelcontextprotocol/protocolVersion';
const methods = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** How a text of one client is answered in a session of 2025-11-25. */
export function expectedAnswer(bytes: Buffer): ExpectedAnswer {
  if (!isUtf8(bytes)) return { kind: 'error', code: -32700, id: null };
  const text = bytes.toString().replace(/^\ufeff/, '');
  const isDeep = depthOf(text) > maxLevels;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return isDeep ? { kind: 'unknown' } : { kind: 'error', code: -32700, id: null };
  }
  const id = idOf(value);
  if (isDeep) return invalid(id);
  if (!isRecord(value)) return invalid(null);
  const { jsonrpc, method, params = {} } = value;
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return jsonrpc === '2.0' ? { kind: 'none' } : { kind: 'unanswerable', code: -32600, id };
  }
  if (jsonrpc !== '2.0') return invalid(id);
  if (typeof method !== 'string') return invalid(id);
  if (value.id !== undefined && id === null) return invalid(null);
  if (!isRecord(params)) return { kind: id === null ? 'unanswerable' : 'error', code: -32602, id };
  if (id === null) return { kind: 'none' };
  const isModern = isRecord(params._meta) && params._meta[version] !== undefined;
  if (isModern)
    return method === 'subscriptions/listen' ? { kind: 'unknown' } : { kind: 'answer', id };
  if (!methods.has(method)) return { kind: 'answer', id, code: -32601 };
  const isMistaken = method === 'tools/call' && typeof params.name !== 'string';
  return { kind: 'answer', id, ...(isMistaken && { code: -32602 }) };
}

/** What is wrong with an answer. */
export function answerFlaw(expected: ExpectedAnswer, answer: unknown): string | undefined {
  if (!isRecord(answer) || answer.jsonrpc !== '2.0') return 'it is no answer';
  if (expected.kind === 'none' || expected.kind === 'unknown') return 'nothing should be answered';
  if (answer.id !== expected.id && !(answer.id === 0 && expected.id === 0)) return 'the id differs';
  const { error } = answer;
  if (error === undefined) {
    return expected.code === undefined && isRecord(answer.result) ? undefined : 'it has no error';
  }
  if (!isRecord(error) || typeof error.message !== 'string') return 'its error is malformed';
  if (error.code === -32603) return 'it calls it a defect of its own';
  if (!Number.isSafeInteger(error.code)) return 'its code is no number';
  return expected.code === undefined || expected.code === error.code
    ? undefined
    : `the code should be ${expected.code}`;
}

function invalid(id: string | number | null): ExpectedAnswer {
  return { kind: 'error', code: -32600, id };
}

function idOf(value: unknown): string | number | null {
  const id = isRecord(value) ? value.id : undefined;
  if (typeof id === 'string' && id.length <= longestId) return id;
  return Number.isSafeInteger(id) ? (id as number) : null;
}

/** How deep JSON is nested, reckoned otherwise than the gateway does. */
function depthOf(json: string): number {
  const brackets = json.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/[[\]{}]/g) ?? [];
  let level = 0;
  let deepest = 0;
  for (const bracket of brackets) {
    level += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}
