import { EventEmitter, once } from 'node:events';
import type { ServerScript } from '@errand/machine/testing';
import type { Era } from '@errand/wire';
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { addressOf, spawnTestProgram, testProgramPath } from './spawn-test-program.ts';
import type { TestProgram } from './test-program.ts';

/** The SDK's client, connected to a gateway that runs as a process. */
interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
  /** Waits until the list of tools is as wanted; the gateway must say each time that it changed. */
  toolsWhere(isWanted: (names: readonly string[]) => boolean): Promise<readonly Tool[]>;
}

const tenMebibytesAndMore = 16 * 1024 * 1024;

/** Starts a gateway before scriptable servers and connects a client to it. */
export async function startTestProgram(
  over: TestProgram['over'],
  era: Era,
  servers: Readonly<Record<string, ServerScript>>,
  options: Omit<TestProgram, 'over' | 'servers'> = {},
  clientOptions: ClientOptions = {},
): Promise<ConnectedClient> {
  const args = [testProgramPath, JSON.stringify({ servers, over, ...options })];
  const changes = new EventEmitter();
  const onChanged = () => void changes.emit('changed');
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      ...clientOptions,
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    },
  );
  const toolsWhere: ConnectedClient['toolsWhere'] = async (isWanted) => {
    for (;;) {
      const changed = once(changes, 'changed');
      const { tools } = await client.listTools();
      if (isWanted(tools.map((tool) => tool.name))) return tools;
      await changed;
    }
  };
  if (over === 'stdio') {
    const maxBufferSize = tenMebibytesAndMore;
    const command = process.execPath;
    const { NODE_COMPILE_CACHE } = process.env;
    const env = { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
    await client.connect(new StdioClientTransport({ command, args, env, maxBufferSize }));
    return { client, toolsWhere, [Symbol.asyncDispose]: () => client.close() };
  }
  const program = spawnTestProgram({ servers, over, ...options });
  await client.connect(new StreamableHTTPClientTransport(new URL(await addressOf(program))));
  return {
    client,
    toolsWhere,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await program[Symbol.asyncDispose]();
    },
  };
}
