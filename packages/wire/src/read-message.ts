import { isRecord, type JsonObject } from './is-record.ts';
import {
  type Incoming,
  type InvalidMessage,
  isRequestId,
  longestId,
  type RequestId,
  type RpcError,
  rpcCode,
} from './json-rpc.ts';

const noParams: JsonObject = {};

/** Reads a JSON value that a client sent as a message, or says what is wrong with it. */
export function readMessage(value: unknown): Incoming {
  if (!isRecord(value)) return invalidMessage(null, 'A message is a JSON object.');
  const { jsonrpc, id, method, params = noParams } = value;
  const known = isRequestId(id) ? id : null;
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return readResponse(value, known);
  }
  if (jsonrpc !== '2.0') return invalidMessage(known, '"jsonrpc" must be "2.0".');
  if (typeof method !== 'string') return invalidMessage(known, '"method" must be a string.');
  if (id !== undefined && known === null) {
    const problem = `"id" must be an integer, or a string of at most ${longestId} characters.`;
    return invalidMessage(null, problem);
  }
  if (!isRecord(params)) {
    const message = 'Invalid params: "params" must be an object.';
    const error = { code: rpcCode.invalidParams, message };
    return { kind: 'invalid', id: known, error, isAnswerable: known !== null };
  }
  return known === null
    ? { kind: 'notification', method, params }
    : { kind: 'request', id: known, method, params };
}

/** What is answered to something that is no request; the id is null where none could be read. */
export function invalidMessage(
  id: RequestId | null,
  problem: string,
  isAnswerable = true,
): InvalidMessage {
  const error = { code: rpcCode.invalidRequest, message: `Invalid Request: ${problem}` };
  return { kind: 'invalid', id, error, isAnswerable };
}

/** Reads the error of a response, which may be any value, so that its request always fails at once. */
export function readError(error: unknown): RpcError {
  const { code, message, data } = isRecord(error) ? error : { message: error };
  return {
    code: typeof code === 'number' && Number.isInteger(code) ? code : rpcCode.internalError,
    message: typeof message === 'string' && message !== '' ? message : 'It did not say why.',
    ...(data !== undefined && { data }),
  };
}

function readResponse(value: JsonObject, id: RequestId | null): Incoming {
  const { jsonrpc, result, error } = value;
  if (jsonrpc !== '2.0') return invalidMessage(id, '"jsonrpc" must be "2.0".', false);
  const isResult = isRecord(result) && !('error' in value);
  return isResult
    ? { kind: 'response', id, result }
    : { kind: 'response', id, error: readError(error) };
}
