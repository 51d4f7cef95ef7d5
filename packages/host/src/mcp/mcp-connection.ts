import { type Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type {
  CallOptions,
  Connection,
  Progress,
  RawToolResult,
  ServerIdentity,
  ToolCall,
  ToolDescription,
} from '../connection.ts';
import { HostError, type HostErrorFacts } from '../host-error.ts';
import { asItCame } from './as-it-came.ts';
import { noTimeout } from './no-timeout.ts';
import { readTools, type ToolPage } from './read-tools.ts';
import { toHostError } from './to-host-error.ts';

/** The two ends of a connection that the protocol knows nothing about. */
export interface ConnectionEnds {
  /** Resolves with the reason when the server is gone. */
  readonly ended: Promise<HostError>;
  lastWords(): string;
  /** Ends what was started for the connection. */
  end(): Promise<void>;
}

/** A live connection over an SDK client. */
export class McpConnection implements Connection {
  readonly server: ServerIdentity;
  readonly lost: Promise<HostError>;
  readonly #name: string;
  readonly #client: Client;
  readonly #ends: ConnectionEnds;
  readonly #listeners: (() => void)[] = [];
  #over: HostError | undefined;

  constructor(name: string, client: Client, ends: ConnectionEnds) {
    this.#name = name;
    this.#client = client;
    this.#ends = ends;
    this.server = identityOf(client);
    this.lost = new Promise((resolve) => {
      void ends.ended.then((reason) => {
        // The end that we asked for is no loss.
        if (this.#over !== undefined) return;
        this.#over = reason;
        resolve(reason);
      });
    });
  }

  async listTools(signal: AbortSignal): Promise<readonly ToolDescription[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    return readTools(this.#name, (cursor) =>
      this.#request<ToolPage>('tools/list', cursor === undefined ? {} : { cursor }, { signal }),
    );
  }

  async callTool(call: ToolCall, options: CallOptions): Promise<RawToolResult> {
    const { tool, arguments: parameters, meta } = call;
    const result = await this.#request<Partial<RawToolResult>>(
      'tools/call',
      { name: tool, arguments: parameters, ...(meta && { _meta: meta }) },
      options,
      tool,
    );
    return { ...result, content: Array.isArray(result.content) ? result.content : [] };
  }

  async ping(signal: AbortSignal): Promise<void> {
    const isModern = this.#client.getProtocolEra() === 'modern';
    await this.#request(isModern ? 'server/discover' : 'ping', {}, { signal });
  }

  onToolsChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Passes the server's word on that its tools changed. */
  toolsChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  lastWords(): string {
    return this.#ends.lastWords();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over ??= new HostError(
      'server_unavailable',
      `The connection to server "${this.#name}" was closed.`,
      { server: this.#name },
    );
    await this.#client.close().catch(() => undefined);
    await this.#ends.end();
  }

  async #request<Result>(
    method: string,
    params: Record<string, unknown>,
    { signal, onProgress }: CallOptions,
    tool?: string,
  ): Promise<Result> {
    if (this.#over !== undefined) throw withFacts(this.#over, { neverSent: true });
    try {
      return await this.#client.request({ method, params }, asItCame<Result>(), {
        signal,
        timeout: noTimeout,
        ...(onProgress && { onprogress: (progress) => onProgress(progress as Progress) }),
      });
    } catch (error) {
      if (isClosed(error) && this.#over !== undefined)
        throw withFacts(this.#over, tool === undefined ? {} : { tool });
      throw toHostError(error, { server: this.#name, signal, ...(tool !== undefined && { tool }) });
    }
  }
}

function identityOf(client: Client): ServerIdentity {
  const { name, version } = client.getServerVersion() ?? { name: '', version: '' };
  const instructions = client.getInstructions();
  return {
    name,
    version,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    ...(instructions !== undefined && { instructions }),
  };
}

function isClosed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}

function withFacts(reason: HostError, facts: HostErrorFacts): HostError {
  return new HostError(
    reason.code,
    reason.message,
    { ...reason.facts, ...facts },
    { cause: reason },
  );
}
