import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import pino from 'pino';
import { buildSdkServer } from './build-sdk-server.ts';
import type { OptionDeclarations, ServerDefinition } from './define-server.ts';

export interface ServeOptions {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface RunningServer extends AsyncDisposable {
  /** Ends the server; calls that run get a moment to finish. */
  stop(): Promise<void>;
}

/** Starts a server on the transports that `argv` names; standard input and output without any. */
export async function serve<D extends OptionDeclarations>(
  definition: ServerDefinition<D>,
  { argv, env = process.env }: ServeOptions,
): Promise<RunningServer> {
  const options = readOptions(definition.options ?? {}, argv, env);
  const log = pino({ level: env.MCP_LOG_LEVEL ?? 'info' }, pino.destination({ fd: 2 }));
  const stopping = new AbortController();
  const started = await definition.start?.({
    options: options as never,
    log,
    signal: stopping.signal,
  });
  const parts = {
    ...definition,
    ...started,
    tools: [...(definition.tools ?? []), ...(started?.tools ?? [])],
  };
  const now = new Date();
  const session = {
    sessionId: randomUUID(),
    transport: 'stdio',
    capabilities: {},
    connectionTime: now,
    lastActivity: now,
    status: 'connected',
  } as const;
  const stdio = serveStdio(() =>
    buildSdkServer(definition as unknown as ServerDefinition, parts, session, log),
  );
  const stop = async () => {
    stopping.abort();
    await stdio.close();
    await started?.stop?.();
  };
  return { stop, [Symbol.asyncDispose]: stop };
}

function readOptions(
  declared: OptionDeclarations,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | boolean | undefined> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      stdio: { type: 'boolean' },
      ...Object.fromEntries(
        Object.entries(declared).map(([name, { value }]) => [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    },
  });
  return Object.fromEntries(
    Object.entries(declared).map(([name, { env: variable, value, required }]) => {
      const given = values[name as 'stdio'] ?? (variable === undefined ? undefined : env[variable]);
      if (given === undefined && required) throw new Error(`The option --${name} is required.`);
      return [name, value === undefined ? given !== undefined : given];
    }),
  );
}
