import type { Random } from '@errand/document/testing';
import { hostileJson } from './hostile-json.ts';

type Json = Readonly<Record<string, unknown>>;

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What a client that means harm, or has a defect, sends as one message. */
export function hostileMessage(random: Random): Buffer {
  return hostileJson(random, message(random), [message(random)]);
}

const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'tools/call',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'resources/list',
  '__proto__',
];

/** A message that is right, or half right. */
function message(random: Random): Json {
  const method = random.pick(methods);
  const id = random.pick([random.below(1e9), -random.below(1e9), `r-${random.below(1e9)}`]);
  return {
    jsonrpc: '2.0',
    ...(!method.startsWith('notifications/') && !random.oneIn(8) && { id }),
    ...(random.oneIn(12) ? { result: {} } : { method }),
    ...(!random.oneIn(8) && { params: paramsOf(random, method) }),
  };
}

function paramsOf(random: Random, method: string): Json {
  return {
    ...(random.oneIn(3) && { _meta: { ...modern, progressToken: random.below(10) } }),
    ...(method === 'tools/call' && {
      name: random.pick(['a__echo', 'a__fail', 'a__structured', 'a__none', 'b__none', '__proto__']),
      arguments: { text: 'hello' },
    }),
    ...(method === 'initialize' && { protocolVersion: '2025-11-25', capabilities: {} }),
    ...(method === 'notifications/cancelled' && { requestId: random.below(100) }),
    ...(random.oneIn(10) && { requestState: 'x', inputResponses: {}, cursor: 'x' }),
  };
}

/** Headers of an HTTP request, some of which no good client sends. */
export function hostileHeaders(random: Random): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    headers[random.pick(headerNames)] = random.pick(headerValues);
  }
  return headers;
}

const headerNames = [
  'content-type',
  'accept',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
  'host',
  'origin',
  'authorization',
  'expect',
  'content-encoding',
];
const headerValues = [
  '',
  '*/*',
  'text/event-stream',
  'application/json',
  'application/jsonx',
  '2025-06-18',
  '2026-07-28',
  '1999-01-01',
  'tools/call',
  'a__echo',
  '=?base64?YV9fZWNobw==?=',
  '=?base64?%%%?=',
  'localhost',
  'https://evil.example',
  'null',
  'gzip',
  'x'.repeat(4_000),
  '\u00e9\u00ff',
];
