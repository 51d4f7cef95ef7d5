import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

export interface StartedServer {
  readonly client: Client;
  /** Calls a tool and answers with its structured content, or with the error it reported. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

export interface StartOptions {
  /** The Node and the program to start instead of the sources on this Node. */
  readonly program?: readonly [node: string, file: string];
  /** A program that starts the server, such as `unshare` with its options. */
  readonly prefix?: readonly string[];
  /** Called with what the server writes to standard error, piece by piece. */
  readonly onStderr?: (text: string) => void;
}

/** Starts the real server on a folder and speaks MCP to it; both end with the test. */
export async function startServer(
  vault: string,
  options: StartOptions = {},
): Promise<StartedServer> {
  const { program = [process.execPath, main], prefix = [], onStderr } = options;
  const client = new Client({ name: 'vault-test', version: '0.0.0' });
  const [command = '', ...args] = [...prefix, ...program, '--vault', vault];
  const transport = new StdioClientTransport({
    command,
    args,
    // Beside the vault, so that tests neither share an index nor leave one behind.
    env: {
      XDG_CACHE_HOME: join(dirname(vault), 'cache'),
      MCP_LOG_LEVEL: 'warn',
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    },
    stderr: onStderr === undefined ? 'inherit' : 'pipe',
  });
  transport.stderr?.on('data', (chunk) => onStderr?.(String(chunk)));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    async call(tool, input = {}) {
      const { content, structuredContent } = await client.callTool({
        name: tool,
        arguments: { ...input },
      });
      if (structuredContent !== undefined) return structuredContent as Record<string, unknown>;
      const [part] = content;
      return JSON.parse(part?.type === 'text' ? part.text : '{}');
    },
  };
}

const main = join(import.meta.dirname, '..', 'main.ts');
