// An MCP server whose answers never change, for the golden notes. It speaks the protocol by hand, so that it can
// answer with anything a server may.
import { createInterface } from 'node:readline';

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const string = { type: 'string' };

/** Tools by name: their parameters, and what they answer; undefined is never sent. */
const tools: Readonly<
  Record<
    string,
    {
      readonly properties: Readonly<Record<string, unknown>>;
      readonly required?: readonly string[];
      answer(input: Readonly<Record<string, unknown>>): unknown;
    }
  >
> = {
  get_forecast: {
    properties: { city: string, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    answer: ({ city, days = 1 }) => text(`${city}: 12 °C, light rain (${days} days)`),
  },
  as_given: {
    properties: {
      zip: string,
      version: string,
      count: { type: 'integer' },
      exact: { type: 'boolean' },
      tags: { type: 'array', items: string },
      tool: string,
    },
    answer: (input) => ({ ...text(''), structuredContent: input }),
  },
  markdown: {
    properties: {},
    answer: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'weather://report',
            mimeType: 'text/markdown',
            text: '**London**\n\n```js\nalert(1)\n```\n\n````\nfour\n````\n',
          },
        },
      ],
    }),
  },
  tricks: {
    properties: {},
    answer: () =>
      text(
        [
          '![rain](https://far.example/rain.png) <img src="https://far.example/wind.png">',
          '`= this.file.name` <%+ tp.system.clipboard() %> [storm](obsidian://open) ![[Diary]]',
          'today \u202e.gpj.exe ^w1',
          '',
          '```dataviewjs\ndv.view("x")\n```',
        ].join('\n'),
      ),
  },
  map: {
    properties: {},
    answer: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: pixel }] }),
  },
  report: {
    properties: {},
    answer: () => ({
      content: [
        { type: 'text', text: 'Rain over the harbour, and how it sounds:' },
        { type: 'image', mimeType: 'image/png', data: pixel },
        { type: 'audio', mimeType: 'audio/ogg', data: 'T2dnUw==' },
        { type: 'resource_link', uri: 'weather://harbour/today', name: 'Today' },
      ],
    }),
  },
  panorama: {
    properties: {},
    answer: () => ({
      content: [
        { type: 'text', text: '## London\n\n**12 °C**, light rain' },
        { type: 'image', mimeType: 'image/png', data: pixel },
      ],
      structuredContent: { celsius: 12 },
    }),
  },
  history: {
    properties: { lines: { type: 'integer' } },
    answer: ({ lines = 600 }) =>
      text(Array.from({ length: Number(lines) }, (_, day) => `day ${day + 1}: rain`).join('\n')),
  },
  slow: { properties: {}, answer: () => undefined },
  lightning: { properties: {}, answer: () => process.exit(7) },
  storm: {
    properties: {},
    answer: () => ({ ...text('The station does not answer.'), isError: true }),
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as Request;
    if (id === undefined) return;
    const result = answer(method, params);
    if (result === undefined) return;
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  })
  .on('close', () => process.exit());

function answer(method: string, params: Request['params']): unknown {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'weather', version: '1.0.0' },
    };
  }
  if (method === 'tools/list') {
    return {
      tools: Object.entries(tools).map(([name, { properties, required = [] }]) => ({
        name,
        inputSchema: { type: 'object', properties, required, additionalProperties: false },
        annotations: { readOnlyHint: name !== 'lightning' },
      })),
    };
  }
  return method === 'tools/call' ? tools[params?.name ?? '']?.answer(params?.arguments ?? {}) : {};
}
