// The least that a gateway can be: HTTP in front, pipes behind, and nothing checked.
// Arguments: a port, a JSON file of `{ "name": { "command", "args" } }`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

type Message = Record<string, never> & { id: number; params: { name: string } };
type Call = (method: string, params: object) => Promise<Record<string, unknown>>;

const [port, file] = process.argv.slice(2);
const servers = new Map<string, Call>();
const tools: { name: string }[] = [];

for (const [name, { command, args }] of Object.entries<{ command: string; args: string[] }>(
  JSON.parse(readFileSync(String(file), 'utf8')),
)) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, jsonrpc: _, ...outcome } = JSON.parse(line);
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  const call: Call = (method, params) => {
    last += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    return new Promise((resolve) => waiting.set(last, resolve));
  };
  const clientInfo = { name: 'floor', version: '1.0.0' };
  void call('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    .then(() => call('tools/list', {}))
    .then(({ result }) => {
      servers.set(name, call);
      const listed = (result as { tools: { name: string }[] }).tools;
      tools.push(...listed.map((tool) => ({ ...tool, name: `${name}__${tool.name}` })));
    });
}

createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', async () => {
    const { id, method, params } = JSON.parse(body) as Message & { method: string };
    const [server = '', tool] = params?.name?.split('__') ?? [];
    const outcome =
      method === 'tools/call'
        ? await servers.get(server)?.(method, { ...params, name: tool })
        : { result: { tools, protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } };
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Mcp-Session-Id', 'floor');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  });
}).listen(Number(port), '127.0.0.1');
