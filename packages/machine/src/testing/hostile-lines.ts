import type { Random } from '@errand/document/testing';
import { hostileJson } from './hostile-json.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a server that means harm, or has a defect, writes instead of the answer to a request. */
export function hostileLines(random: Random, id: string | number, answer: Json): Buffer {
  const lines = Array.from({ length: 1 + random.below(3) }, () => {
    const message = random.oneIn(3) ? question(random) : { jsonrpc: '2.0', id, result: answer };
    return hostileJson(random, message, [question(random)]);
  });
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
}

const methods = [
  'notifications/progress',
  'notifications/cancelled',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/x',
  'roots/list',
  'ping',
  'elicitation/create',
  'sampling/createMessage',
  'x',
];

/** A request or notification of the server, half right. */
function question(random: Random): Json {
  const params = {
    progressToken: 1_000_000_000 + random.below(100),
    requestId: random.below(10),
    progress: random.below(10),
    message: 'Which one?',
    requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
    maxTokens: 5,
    level: 'info',
    data: {},
  };
  return {
    jsonrpc: '2.0',
    ...(random.oneIn(2) && { id: random.pick([random.below(1e9), `q${random.below(1e9)}`]) }),
    method: random.pick(methods),
    ...(!random.oneIn(4) && { params }),
  };
}
