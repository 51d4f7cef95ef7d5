import { random } from '@errand/document/testing';
import { hostileLines } from './hostile-lines.ts';

type Json = Readonly<Record<string, unknown>>;

interface FuzzedSession {
  readonly isModern: boolean;
  /** Decides what is written; a call may say another one. */
  readonly seed: number;
  /** Whether the handshake is answered with nonsense, too. */
  readonly fuzzesHandshake: boolean;
}

/** What a fuzzed server writes about a line that it got: what is no answer, and then the right one. */
export function fuzzedReply(line: string, session: FuzzedSession): Buffer | undefined {
  const { id, method, params = {} } = JSON.parse(line) as Json;
  if (typeof method !== 'string' || !(typeof id === 'number' || typeof id === 'string')) return;
  // Its answer would be the end of the subscription.
  if (method === 'subscriptions/listen') return;
  const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const result = { ...(session.isModern && modern), ...rightAnswer(method, params as Json) };
  const right = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  const isHandshake = method === 'initialize' || method === 'server/discover';
  if (isHandshake && !session.fuzzesHandshake) return right;
  const { arguments: given } = params as { readonly arguments?: { readonly seed?: number } };
  return Buffer.concat([hostileLines(random(given?.seed ?? session.seed), id, result), right]);
}

const capabilities = { tools: { listChanged: true } };
const serverInfo = { name: 'fuzzed', version: '1.0.0' };

function rightAnswer(method: string, params: Json): Json {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo };
    case 'server/discover':
      return {
        supportedVersions: ['2026-07-28'],
        capabilities,
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      };
    case 'tools/list':
      return {
        tools: [
          {
            name: 'fuzz',
            description: 'Takes anything.',
            inputSchema: { type: 'object', properties: { seed: { type: 'integer' } } },
            outputSchema: { type: 'object' },
            annotations: { readOnlyHint: false, title: 'Fuzz' },
            icons: [],
            _meta: {},
          },
        ],
      };
    case 'tools/call':
      return {
        content: [
          { type: 'text', text: '{"a":[1,2]}' },
          {
            type: 'resource',
            resource: { uri: 'file:///a', mimeType: 'text/markdown', text: '#' },
          },
        ],
        structuredContent: { a: [1, 2] },
        isError: false,
        _meta: { tokensUsed: 5 },
      };
    default:
      return {};
  }
}
