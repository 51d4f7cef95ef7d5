import { jsonExcess } from '@errand/wire';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

type Fields = Readonly<Record<string, unknown>>;

const internalError = -32603;

/**
 * The JSON-RPC messages in a text; nothing when it is something else, or more than is taken. What they carry is
 * a stranger's, but their ids are texts or numbers, their methods texts and their errors objects.
 */
export function parseMessages(text: string): JSONRPCMessage[] | undefined {
  if (jsonExcess(text) !== undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // One revision of the protocol knew batches.
  if (!Array.isArray(value)) {
    const message = readMessage(value);
    return message && [message];
  }
  const messages = value.map(readMessage).filter((message) => message !== undefined);
  return messages.length > 0 || value.length === 0 ? messages : undefined;
}

/** Whether a value can name a request. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function readMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isObject(value) || value.jsonrpc !== '2.0') return undefined;
  if ('method' in value) return isRequest(value) ? (value as JSONRPCMessage) : undefined;
  if (!isId(value.id)) return undefined;
  if ('result' in value) return value as JSONRPCMessage;
  return { jsonrpc: '2.0', id: value.id, error: readError(value.error) };
}

function isRequest({ id, method, params }: Fields): boolean {
  return (
    typeof method === 'string' &&
    (id === undefined || isId(id)) &&
    (params === undefined || isObject(params))
  );
}

/** Servers say what went wrong in many ways; whoever waits hears of it at once. */
function readError(error: unknown) {
  const { code, message, data } = isObject(error) ? error : { message: error };
  return {
    code: typeof code === 'number' && Number.isInteger(code) ? code : internalError,
    message: typeof message === 'string' && message !== '' ? message : 'It did not say why.',
    ...(data !== undefined && { data }),
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
