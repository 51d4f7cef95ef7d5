import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { HostError } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { connectOverLines } from '../mcp/connect-over-lines.ts';
import type { LinePipe } from '../mcp/line-pipe.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import { fuzzedReply } from './fuzzed-reply.ts';

/** What is wrong with how a handshake with a fuzzed server ends; it has no process, because each needs a new one. */
export async function handshakeFlaw(
  side: McpClientContext,
  seed: number,
  deadlineMs: number,
): Promise<string | undefined> {
  const isModern = seed % 4 === 0;
  const pipe = fuzzedPipe(seed, isModern);
  const server = localServer('fuzzed', { id: `${seed}`, era: isModern ? 'modern' : 'legacy' });
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    await using connection = await connectOverLines(pipe, server, side, { signal });
    JSON.stringify([connection.server, await connection.listTools(signal)]);
    await connection.ping(signal);
    return undefined;
  } catch (error) {
    const isExpected =
      error instanceof HostError &&
      ['server_unavailable', 'result_too_large', 'tool_failed'].includes(error.code) &&
      !/defect/.test(error.message);
    return isExpected ? undefined : `${error}`.slice(0, 500);
  }
}

function fuzzedPipe(seed: number, isModern: boolean): LinePipe {
  const input = new PassThrough();
  const output = new PassThrough();
  let lines = 0;
  createInterface({ input }).on('line', (line) => {
    lines += 1;
    const session = { isModern, seed: seed + 1_000_000 * lines, fuzzesHandshake: true };
    const reply = fuzzedReply(line, session);
    if (reply !== undefined) output.write(reply);
  });
  return {
    input,
    output,
    ended: new Promise(() => undefined),
    lastOutput: () => '',
    note: () => undefined,
    end: async () => {
      input.destroy();
      output.destroy();
    },
  };
}
