import type { RequestId } from './json-rpc.ts';

const id = String.raw`"id"\s*:\s*(-?(?:0|[1-9]\d{0,15})|"[^"\\\p{Cc}]*")`;
const others = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;
const atTheBeginning = new RegExp(`^\\s*\\{\\s*(?:${others}\\s*,\\s*)*${id}\\s*[,}]`, 'u');
const atTheEnd = new RegExp(`,\\s*${id}\\s*(?:,\\s*${others}\\s*)*\\}\\s*$`, 'u');

/** The id of a request of which only the beginning and the end are known; null when it cannot be read. */
export function guessRequestId(head: string, tail: string): RequestId | null {
  const found = atTheBeginning.exec(head)?.[1] ?? atTheEnd.exec(tail)?.[1];
  return found === undefined ? null : (JSON.parse(found) as RequestId);
}
