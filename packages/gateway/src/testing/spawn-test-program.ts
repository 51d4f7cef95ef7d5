import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TestProgram } from './test-program.ts';

export const testProgramPath = fileURLToPath(new URL('./test-program.ts', import.meta.url));

/** A gateway that runs as a process. Disposing it ends its input and waits for its end. */
export interface RunningTestProgram extends AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What it has written to standard error so far. */
  stderr(): string;
  /** Resolves when it has written this to standard error. */
  says(words: string): Promise<void>;
}

/** Starts a gateway before scriptable servers. */
export function spawnTestProgram(program: TestProgram): RunningTestProgram {
  const args = [testProgramPath, JSON.stringify(program)];
  const child = spawn(process.execPath, args, { stdio: 'pipe' });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text;
  });
  // It may end while it is written to.
  child.stdin.on('error', () => {});
  return {
    child,
    stderr: () => words,
    says: async (wanted) => {
      while (!words.includes(wanted)) {
        if (child.stderr.closed) throw new Error(`It ended without saying "${wanted}": ${words}`);
        await Promise.race([once(child.stderr, 'data'), once(child.stderr, 'close')]);
      }
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await once(child, 'exit');
      clearTimeout(timer);
    },
  };
}

/** The address that a gateway over HTTP says first. */
export async function addressOf({ child }: RunningTestProgram): Promise<string> {
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return String(url);
}

/** A client over plain HTTP whose answers are read only when somebody reads them. */
export class RawClient implements Disposable {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  #session: string | undefined;
  #lastId = 0;

  constructor(url: string) {
    this.#url = url;
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** Begins a session of the older era. */
  async initialize(capabilities: object = {}): Promise<this> {
    const clientInfo = { name: 'raw', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const response = await this.post('initialize', params);
    this.#session = String(response.headers['mcp-session-id']);
    response.resume();
    return this;
  }

  /** Sends a request and waits for the beginning of its answer. */
  post(
    method: string,
    params: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<IncomingMessage> {
    this.#lastId += 1;
    return this.send({ jsonrpc: '2.0', id: this.#lastId, method, params }, headers);
  }

  /** Sends a message as it is. */
  send(message: object, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#url,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
            ...headers,
          },
        },
        resolve,
      );
      sent.on('error', reject).end(JSON.stringify(message));
    });
  }

  /** Calls a tool and reads the whole answer. */
  async call(name: string, input: object): Promise<unknown> {
    const accept = { accept: 'application/json' };
    const answer = await this.post('tools/call', { name, arguments: input }, accept);
    return JSON.parse(await textOf(answer));
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** The whole of an answer. */
export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}
