import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

export interface StartedServer {
  readonly client: Client;
  /** Calls a tool and answers with its structured content, or with the error it reported. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'main.ts');

/** Starts the real server on a folder and speaks MCP to it; both end with the test. */
export async function startServer(
  vault: string,
  env: Record<string, string> = {},
  uid?: number,
): Promise<StartedServer> {
  const client = new Client({ name: 'vault-test', version: '0.0.0' });
  const command = [process.execPath, main, '--vault', vault];
  const [program = '', ...args] =
    uid === undefined ? command : ['setpriv', `--reuid=${uid}`, '--clear-groups', ...command];
  await client.connect(
    new StdioClientTransport({
      command: program,
      args,
      // Beside the vault, so that tests neither share an index nor leave one behind.
      env: { XDG_CACHE_HOME: join(dirname(vault), 'cache'), MCP_LOG_LEVEL: 'warn', ...env },
    }),
  );
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
