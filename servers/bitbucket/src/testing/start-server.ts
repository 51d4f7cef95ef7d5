import { join } from 'node:path';
import { type StartedServer, startStdioServer } from '@errand/server-kit/testing';

interface StartOptions {
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly program?: readonly string[];
}

const main = join(import.meta.dirname, '..', 'main.ts');

/** Starts the real server and speaks MCP to it. */
export function startServer({
  args = [],
  env,
  program = [process.execPath, main],
}: StartOptions): Promise<StartedServer> {
  return startStdioServer([...program, ...args], env);
}
