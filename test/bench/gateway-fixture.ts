// A stdio server without any SDK, so that a gateway is measured and not its server.
// Arguments: `--hang` never answers; `--prefix NAME` is there so that processes can be told apart.
import { createInterface } from 'node:readline';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const tenMebibytes = 10 * 1024 * 1024;

const tools: Readonly<Record<string, (input: Record<string, unknown>) => object>> = {
  echo: ({ text: value }) => text(String(value)),
  big: () => text('x'.repeat(tenMebibytes)),
  noisy: ({ megabytes }) => {
    const line = `${'e'.repeat(1023)}\n`.repeat(1024);
    for (let index = 0; index < Number(megabytes); index += 1) process.stderr.write(line);
    return text('done');
  },
  crash: () => process.exit(3),
};

const toolList = Object.keys(tools).map((name) => ({
  name,
  description: `The ${name} tool of the benchmark's server.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: name !== 'crash' },
}));

const answers: Readonly<Record<string, (params: Record<string, unknown>) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'fixture', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: toolList }),
  'tools/call': ({ name, arguments: input }) =>
    tools[String(name)]?.((input ?? {}) as Record<string, unknown>) ?? text('no such tool'),
};

if (!process.argv.includes('--hang')) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method];
    const outcome = answer
      ? { result: answer(params) }
      : { error: { code: -32601, message: `Method not found: ${method}` } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  });
}
process.stdin.on('end', () => process.exit(0)).resume();
