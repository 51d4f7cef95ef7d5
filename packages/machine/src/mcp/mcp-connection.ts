import {
  ArraySet,
  type Caller,
  type CallOptions,
  type Connection,
  type ContentPart,
  catchFaults,
  HostError,
  type Progress,
  type RawToolResult,
  type ServerIdentity,
  soleCaller,
  type ToolCall,
  type ToolDescription,
} from '@errand/host';
import { type JsonObject, raceSignal } from '@errand/wire';
import {
  type Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { warnOfFault } from '../node/warn-of-fault.ts';
import type { LineCalls } from './line-calls.ts';
import { featuresOf, McpContent } from './mcp-content.ts';
import { maxParts, tooManyParts } from './message-limit.ts';
import { rawResultSchema } from './raw-result.ts';
import { readTools, type ToolPage } from './read-tools.ts';
import { SessionClient } from './session-client.ts';
import { maxTimerMs } from './sleep.ts';
import { resultOf, TaskTools } from './task-tools.ts';
import { toHostError } from './to-host-error.ts';
import type { ToolHeaders } from './tool-headers.ts';

/** What stands behind a connection and the protocol knows nothing about. */
interface ConnectionEnds {
  /** Resolves with the reason when the server is gone. */
  readonly ended: Promise<HostError>;
  lastOutput(): string;
  /** Ends what was started for the connection. */
  end(): Promise<void>;
  /** Remembers which parameters are also sent as headers, where headers are sent. */
  readonly headers?: ToolHeaders;
  /** Does the handshake again, where servers forget sessions. */
  readonly reopen?: (signal: AbortSignal) => Promise<Client>;
}

interface Request extends CallOptions {
  readonly method: string;
  readonly params: JsonObject;
  readonly tool?: string;
  readonly headers?: Record<string, string>;
}

/** The newer era's word that the headers of a call do not fit its tool. */
const headerMismatch = -32020;

/** A live connection over an SDK client. */
export class McpConnection implements Connection {
  readonly lost: Promise<HostError>;
  readonly content: McpContent | undefined;
  readonly #name: string;
  readonly #ends: ConnectionEnds;
  readonly #listeners: (() => void)[] = [];
  readonly #client: SessionClient;
  #over: HostError | undefined;

  readonly #calls: LineCalls | undefined;
  readonly #taskTools = new TaskTools();
  readonly #callers = new ArraySet<Caller | undefined>();

  constructor(name: string, client: Client, ends: ConnectionEnds, calls?: LineCalls) {
    this.#name = name;
    this.#calls = calls;
    this.#ends = ends;
    this.#client = new SessionClient(name, client, {
      ...(ends.reopen && { reopen: ends.reopen }),
      // A server that forgot us may have been replaced by a newer one.
      onReopened: () => {
        this.toolsChanged();
        this.content?.renew();
      },
    });
    const features = featuresOf(client.getServerCapabilities());
    this.content =
      features &&
      new McpContent(features, {
        client: () => this.#client.current,
        request: (method, params, signal) => this.#request({ method, params, signal }),
      });
    this.lost = new Promise((resolve) => {
      void ends.ended.then((reason) => {
        // The end that we asked for is no loss.
        if (this.#over !== undefined) return;
        this.#over = reason;
        resolve(reason);
        this.#client.close().catch(() => undefined);
      });
    });
  }

  get server(): ServerIdentity {
    const client = this.#client.current;
    const { name, version } = client.getServerVersion() ?? { name: '', version: '' };
    const instructions = client.getInstructions();
    return {
      name,
      version,
      protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
      ...(instructions !== undefined && { instructions }),
    };
  }

  /** Whom a question of the server is for, among those whose calls run. */
  get caller(): Caller | undefined {
    return soleCaller(this.#callers);
  }

  async listTools(signal: AbortSignal): Promise<readonly ToolDescription[]> {
    if (this.#client.current.getServerCapabilities()?.tools === undefined) return [];
    const tools = await readTools(this.#name, async (cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.#request<ToolPage>({ method: 'tools/list', params, signal });
      if (!this.#isModern()) this.#taskTools.learn(page);
      return page;
    });
    return (this.#isModern() && this.#ends.headers?.learn(tools)) || tools;
  }

  async callTool(call: ToolCall, options: CallOptions): Promise<RawToolResult> {
    const { tool, arguments: input, meta } = call;
    const task = this.#taskTools.paramsFor(tool);
    const params = { name: tool, arguments: input, ...(meta && { _meta: meta }), ...task };
    const send = () =>
      this.#request<Partial<RawToolResult>>({
        ...options,
        method: 'tools/call',
        params,
        tool,
        headers: this.#ends.headers?.of(tool, input) ?? {},
      });
    const leave = this.#callers.add(options.caller);
    try {
      const result = await send().catch(async (error: unknown) => {
        if (!isHeaderMismatch(error)) throw error;
        // Refused before it ran, because its tool changed: read the tools again and say it right.
        await this.listTools(options.signal);
        return send();
      });
      if ('task' in result) return await this.#taskResult(result, tool, options);
      return { ...result, content: readParts(result.content, this.#name) };
    } finally {
      leave();
    }
  }

  async ping(signal: AbortSignal): Promise<void> {
    const method = this.#isModern() ? 'server/discover' : 'ping';
    try {
      await this.#request({ method, params: {}, signal });
    } catch (error) {
      if (!isSignOfLife(error)) throw error;
    }
  }

  onToolsChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Passes the server's word on that its tools changed. */
  toolsChanged(): void {
    for (const listener of this.#listeners) catchFaults(listener, warnOfFault)();
  }

  lastOutput(): string {
    return this.#ends.lastOutput();
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

  async #taskResult(
    answer: JsonObject,
    tool: string,
    options: CallOptions,
  ): Promise<RawToolResult> {
    const call = { server: this.#name, tool, signal: options.signal };
    const result = await resultOf(answer, call, (method, params, signal) =>
      this.#request({ ...options, method, params, signal, tool }),
    );
    return { ...result, content: readParts(result.content, this.#name) };
  }

  async #request<Result>(request: Request): Promise<Result> {
    if (this.#over !== undefined) throw this.#over.withFacts({ neverSent: true });
    try {
      if (this.#calls !== undefined && !this.#isModern()) {
        return await this.#calls.request<Result>(request.method, request.params, request);
      }
      const answer = this.#client.request(
        (client) => send<Result>(client, request),
        request.signal,
      );
      return await raceSignal(answer, request.signal);
    } catch (error) {
      const { tool, signal } = request;
      const facts = tool === undefined ? {} : { tool };
      // It may have ended while the request was under way, which the check above cannot know.
      const over = this.#over as HostError | undefined;
      if (isClosed(error) && over !== undefined) throw over.withFacts(facts);
      throw toHostError(error, { server: this.#name, signal, ...facts });
    }
  }

  #isModern(): boolean {
    return this.#client.current.getProtocolEra() === 'modern';
  }
}

function send<Result>(client: Client, request: Request): Promise<Result> {
  const { method, params, signal, onProgress, headers } = request;
  return client.request({ method, params }, rawResultSchema<Result>(), {
    signal,
    timeout: maxTimerMs,
    ...(headers && { headers }),
    ...(onProgress && { onprogress: (progress) => onProgress(progress as Progress) }),
  });
}

function isClosed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}

/** A server that refuses the question, or has too much to do, is alive. */
function isSignOfLife(error: unknown): boolean {
  if (!(error instanceof HostError)) return false;
  const { cause } = error;
  const isBusy = cause instanceof SdkHttpError && error.facts.isPassing === true;
  return cause instanceof ProtocolError || isBusy;
}

function isHeaderMismatch(error: unknown): boolean {
  return (
    error instanceof HostError &&
    error.cause instanceof ProtocolError &&
    error.cause.code === headerMismatch
  );
}

/** The content parts of a result. Servers send anything: what is not a part is kept as text. */
function readParts(content: unknown, server: string): readonly ContentPart[] {
  if (!Array.isArray(content)) return [];
  if (content.length > maxParts) throw tooManyParts(server, content.length);
  return content.every(isPart) ? content : content.map(asPart);
}

function isPart(part: unknown): part is ContentPart {
  return (
    typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'
  );
}

function asPart(part: unknown): ContentPart {
  if (isPart(part)) return part;
  if (typeof part === 'object' && part !== null) return { ...part, type: 'unknown' };
  return { type: 'text', text: String(part) };
}
