import type { ServerResponse } from 'node:http';
import fc from 'fast-check';

/** An answer to a call as no server should give it. `ID` in its parts stands for the id of the call. */
export interface OddAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parts of the body, written one by one. */
  readonly body: readonly string[];
  /** The start of a head that is no HTTP, in place of status and headers. */
  readonly raw?: string | undefined;
  readonly end: 'end' | 'destroy' | 'hang';
}

/** Gives an answer; on a stream that is open already only its body. */
export function writeOddAnswer(
  answer: OddAnswer,
  id: string | number,
  response: ServerResponse,
): void {
  const [first = '', ...rest] = answer.body.map((part) => part.replaceAll('ID', String(id)));
  if (response.headersSent) {
    response.write(`${first}${rest.join('')}\n\n`);
    return;
  }
  if (answer.raw !== undefined) {
    response.socket?.write(`${answer.raw}${first}`);
    response.socket?.end();
    return;
  }
  response.writeHead(answer.status, answer.headers);
  for (const part of [first, ...rest]) response.write(part);
  if (answer.end === 'end') response.end();
  if (answer.end === 'destroy') response.socket?.destroySoon();
}

const good =
  '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}],"isError":false}}';

/** Deep enough, now and then, for whatever walks or prints it to run out of stack. */
const levels = fc.oneof(
  { weight: 5, arbitrary: fc.nat(300) },
  { weight: 1, arbitrary: fc.constantFrom(5_000, 20_000) },
);
const deep = fc
  .tuple(levels, fc.constantFrom<[string, string]>(['[', ']'], ['{"a":', '}']))
  .map(([depth, [open, close]]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

const value = fc.oneof(
  { weight: 8, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.constantFrom('ID', '"ID"', '0ID', '01', '1e999', '{"toString":1}') },
);

/** A JSON text with a slice of it gone, doubled, or replaced. */
const mutated = fc
  .tuple(
    fc.nat(),
    fc.nat(20),
    fc.oneof(fc.string(), fc.constantFrom('', '[', '{', '"', '\\', '\0')),
  )
  .map(([at, length, put]) => {
    const start = at % good.length;
    return good.slice(0, start) + put + good.slice(start + length);
  });

const member = fc.tuple(
  fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__'),
  value,
);

const message = fc.oneof(
  { weight: 4, arbitrary: fc.constant(good) },
  { weight: 4, arbitrary: mutated },
  {
    weight: 4,
    arbitrary: fc
      .array(member, { maxLength: 4 })
      .map((members) =>
        ['{"jsonrpc":"2.0","id":ID', ...members.map(([key, it]) => `"${key}":${it}`)].join(','),
      )
      .map((text) => `${text}}`),
  },
  { weight: 1, arbitrary: value },
  { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }).map((list) => `[${list.join(',')}]`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
);

const field = fc.oneof(
  { weight: 30, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ': comment',
      'event: message',
      'event: endpoint',
      'event',
      'data',
      'retry: x',
      'nonsense: 1',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('id: 1', 'retry: 0', 'id: \u00e4', 'retry: 99999999999'),
  },
);

const events = fc
  .record({
    messages: fc.array(fc.tuple(field, message), { minLength: 1, maxLength: 3 }),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
    splits: fc.boolean(),
    isWhole: fc.boolean(),
  })
  .map(({ messages, lineEnd, splits, isWhole }) =>
    messages.map(([extra, text], index) => {
      const data = splits ? text.replaceAll(',', `,${lineEnd}data: `) : text;
      const lines = [...(extra === '' ? [] : [extra]), `data: ${data}`];
      const isCutOff = !isWhole && index === messages.length - 1;
      return `${lines.join(lineEnd)}${isCutOff ? '' : lineEnd + lineEnd}`;
    }),
  );

const sseType = { 'content-type': 'text/event-stream' };
const oddHeader = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'text/html' },
  { 'content-type': ';;;' },
  { 'content-encoding': 'gzip' },
  { location: '/mcp' },
  { location: 'https://elsewhere.example/' },
  { location: 'http://[' },
  { 'retry-after': '3' },
  { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
  { 'www-authenticate': 'Bearer error="insufficient_scope", x=' },
  { 'mcp-session-id': 'another' },
  { connection: 'close' },
);
const status = fc.oneof(
  { weight: 30, arbitrary: fc.constant(200) },
  { weight: 3, arbitrary: fc.constantFrom(201, 202, 206, 226, 299) },
  { weight: 3, arbitrary: fc.constantFrom(300, 301, 302, 303, 305, 307, 308) },
  { weight: 3, arbitrary: fc.constantFrom(400, 401, 403, 404, 405, 406, 409, 418, 426, 429) },
  { weight: 3, arbitrary: fc.constantFrom(500, 502, 503, 504, 599, 600, 999) },
);
const end = fc.oneof(
  { weight: 300, arbitrary: fc.constant('end' as const) },
  { weight: 10, arbitrary: fc.constant('destroy' as const) },
  { weight: 1, arbitrary: fc.constant('hang' as const) },
);
const raw = fc.oneof(
  { weight: 60, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\n',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 007 James\r\n\r\n',
      'HTTP/9.9 200 OK\r\n\r\n',
      'HTTP/1.1 200 OK\r\nx: \0\r\n\r\n',
      '\0\0\0',
    ),
  },
);

/** Answers to calls: mutated statuses, headers, bodies, framings, ids, and JSON that is too deep. */
export const oddAnswer: fc.Arbitrary<OddAnswer> = fc.oneof(
  fc
    .record({ status, header: oddHeader, text: message, raw, end })
    .map(({ header, text, ...rest }) => ({
      ...rest,
      headers: { 'content-type': 'application/json', ...header },
      body: [text],
    })),
  fc
    .record({ status, header: oddHeader, body: events, raw, end })
    .map(({ header, ...rest }) => ({ ...rest, headers: { ...header, ...sseType } })),
);
