import type {
  CallOptions,
  Connection,
  RawToolResult,
  ServerIdentity,
  ToolCall,
  ToolDescription,
} from '@errand/host';
import { catchFaults, HostError, within } from '@errand/host';
import type { ServerContainer } from './server-container.ts';

const momentMs = 1000;

/** A connection over HTTP whose server runs in a container of ours: they end together. */
export class ContainerConnection implements Connection {
  readonly lost: Promise<HostError>;
  readonly #connection: Connection;
  readonly #container: ServerContainer;
  #isDisposed = false;

  constructor(connection: Connection, container: ServerContainer) {
    this.#connection = connection;
    this.#container = container;
    this.lost = new Promise((resolve) => {
      const end = async (reason: HostError) => {
        if (this.#isDisposed) return;
        resolve(reason);
        await connection[Symbol.asyncDispose]();
      };
      // However closing ended, there is nothing left behind the connection.
      void container.ended.then(catchFaults(end, () => undefined));
      void connection.lost.then(async (reason) => resolve(await this.#explain(reason)));
    });
  }

  get server(): ServerIdentity {
    return this.#connection.server;
  }

  listTools(signal: AbortSignal): Promise<readonly ToolDescription[]> {
    return this.#explained(this.#connection.listTools(signal));
  }

  callTool(call: ToolCall, options: CallOptions): Promise<RawToolResult> {
    return this.#explained(this.#connection.callTool(call, options));
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#explained(this.#connection.ping(signal));
  }

  onToolsChanged(listener: () => void): void {
    this.#connection.onToolsChanged(listener);
  }

  lastOutput(): string {
    return this.#container.lastOutput();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#connection[Symbol.asyncDispose]();
    await this.#container.end();
  }

  #explained<Answer>(request: Promise<Answer>): Promise<Answer> {
    return request.catch(async (error: unknown) => {
      throw error instanceof HostError ? await this.#explain(error) : error;
    });
  }

  /** A connection breaks a moment before the end of its container is known, and that end says more. */
  async #explain(error: HostError): Promise<HostError> {
    if (error.code !== 'server_unavailable') return error;
    const reason = await within(this.#container.ended, momentMs);
    if (reason === undefined) return error;
    // Whether the request was sent, and for which tool, only the connection knows.
    return reason.withFacts(error.facts, error);
  }
}
