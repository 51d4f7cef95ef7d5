import { isUtf8 } from 'node:buffer';
import { jsonExcess, maxLevels, maxValues } from '../json-excess.ts';
import { type Incoming, type InvalidMessage, rpcCode } from '../json-rpc.ts';
import { invalidMessage, readMessage } from '../read-message.ts';
import { IdScanner } from './id-scanner.ts';

/** A text of a client: one message, several, or nothing that could be read. */
export type IncomingText =
  | Incoming
  | { readonly kind: 'batch'; readonly batch: readonly unknown[] };

/** Reads the bytes that a client sent as one text. */
export function readText(bytes: Buffer): IncomingText {
  const parsed = parseJson(bytes);
  if (parsed.kind === 'invalid') return parsed;
  const { value } = parsed;
  return Array.isArray(value) ? { kind: 'batch', batch: value } : readMessage(value);
}

/** Parses JSON from a client, but none that is nested too deep or has too many values. */
export function parseJson(
  bytes: Buffer,
): { readonly kind: 'json'; readonly value: unknown } | InvalidMessage {
  if (!isUtf8(bytes)) return parseError('not UTF-8');
  const text = bytes.toString('utf8', startsWithMark(bytes) ? 3 : 0);
  const excess = jsonExcess(text);
  if (excess !== undefined) {
    const scanner = new IdScanner();
    scanner.scan(bytes);
    return invalidMessage(scanner.id ?? null, excessProblem[excess]);
  }
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return parseError('not JSON');
  }
}

/** Some programs write a byte order mark before everything they write. */
function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

const excessProblem = {
  levels: `The message is nested deeper than ${maxLevels} levels. Send a flatter one.`,
  values: `The message has more than ${maxValues} values. Send less at once.`,
} as const;

function parseError(problem: string): InvalidMessage {
  const error = { code: rpcCode.parseError, message: `Parse error: the message is ${problem}.` };
  return { kind: 'invalid', id: null, error, isAnswerable: true };
}
