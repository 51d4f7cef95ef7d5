import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createLoopbackGuard } from './loopback-guard.ts';

/** What a tool answered: its structured content, or the error it reported. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Answer = Record<string, any>;

/** A server program of its own that MCP is spoken to. */
export interface StartedServer extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  /** What it has written to standard error. */
  stderr(): string;
  /** Where it wanted to go beyond this machine. */
  refused(): readonly string[];
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** Starts a program with nothing but this environment, keeps it on this machine, and connects to it. */
export async function startStdioServer(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  const guard = createLoopbackGuard();
  const client = new Client({ name: 'server-test', version: '0.0.0' });
  const transport = new StdioClientTransport({
    command,
    args,
    env: {
      PATH: process.env.PATH ?? '',
      MCP_LOG_LEVEL: 'debug',
      ...guard.env,
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      ...env,
    },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    refused: () => guard.refused(),
    async call(tool, input = {}) {
      const { content, structuredContent } = await client.callTool(
        { name: tool, arguments: { ...input } },
        { timeout: 120_000 },
      );
      if (structuredContent !== undefined) return structuredContent as Answer;
      const [part] = content;
      return JSON.parse(part?.type === 'text' ? part.text : '{}');
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      guard[Symbol.dispose]();
    },
  };
}
