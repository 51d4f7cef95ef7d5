import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Result, ScriptedTool } from './scripted-tools.ts';

/** Tools that reach for what a sandbox may hide; each answers with what came of it. */
export const reachingTools: Readonly<Record<string, ScriptedTool>> = {
  'read-file': reaching('Reads a file.', ({ path }) => readFileSync(String(path), 'utf8')),
  'write-file': reaching('Writes a file.', ({ path }) => {
    writeFileSync(String(path), 'written');
    return 'written';
  }),
  'connect-to': reaching('Connects to a port of this machine.', async ({ port }) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve('connected')).once('error', reject);
    }).finally(() => socket.destroy()) as Promise<string>;
  }),
  'leave-running': reaching('Starts a process in a session of its own.', async ({ seconds }) => {
    const child = spawn('sleep', [String(seconds)], { detached: true, stdio: 'ignore' });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    return String(child.pid);
  }),
};

function reaching(
  description: string,
  reach: (input: Readonly<Record<string, unknown>>) => string | Promise<string>,
): ScriptedTool {
  return {
    description,
    inputSchema: { type: 'object' },
    run: async (input): Promise<Result> => ({
      content: [{ type: 'text', text: await tryTo(input) }],
    }),
  };

  async function tryTo(input: Readonly<Record<string, unknown>>): Promise<string> {
    try {
      return await reach(input);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }
}
