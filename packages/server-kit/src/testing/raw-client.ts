import type { Readable, Writable } from 'node:stream';

/** A message as it came over the wire. */
export type RawMessage = Readonly<Record<string, unknown>> & {
  readonly id?: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

/** Speaks to a server line by line, with nothing in between that would mend or hide a mistake. */
export class RawClient {
  readonly #to: Writable;
  readonly #received: RawMessage[] = [];
  readonly #waiting: ((message: RawMessage) => void)[] = [];
  #rest = '';
  #id = 1_000;

  constructor(to: Writable, from: Readable) {
    this.#to = to;
    from.setEncoding('utf8');
    from.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as RawMessage);
    });
  }

  write(bytes: string | Uint8Array): void {
    this.#to.write(bytes);
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message the server sends. */
  next(): Promise<RawMessage> {
    const message = this.#received.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sends a request and gives back the next message. */
  request(method: string, params?: unknown): Promise<RawMessage> {
    this.#id += 1;
    this.send({ jsonrpc: '2.0', id: this.#id, method, params });
    return this.next();
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<RawMessage> {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities: { roots: {} },
      clientInfo: { name: 'raw', version: '1.0.0' },
    });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  call(name: string, input: unknown = {}): Promise<RawMessage> {
    return this.request('tools/call', { name, arguments: input });
  }

  end(): void {
    this.#to.end();
  }

  #take(message: RawMessage): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#received.push(message);
    else waiting(message);
  }
}
