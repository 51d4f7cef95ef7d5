import { onAbort, raceSignal } from '@errand/wire';
import type {
  CallOptions,
  Connection,
  ConnectOptions,
  Connector,
  RawToolResult,
  ServerContent,
  ToolCall,
  ToolDescription,
} from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';

/** How a server in memory behaves; a test changes it as it goes. */
export interface MemoryBehaviour {
  connect?: (options: ConnectOptions) => Promise<void>;
  tools?: readonly ToolDescription[];
  /** What happens before the tools are listed. */
  list?: (signal: AbortSignal) => Promise<void>;
  call?: (call: ToolCall, options: CallOptions) => Promise<RawToolResult>;
  ping?: (signal: AbortSignal) => Promise<void>;
  close?: () => Promise<void>;
  content?: ServerContent;
}

/** Connects to servers that exist only as functions. Without a script they echo. */
export class MemoryConnector implements Connector {
  readonly behaviours = new Map<string, MemoryBehaviour>();
  /** Every connection that was ever made, oldest first. */
  readonly connections: MemoryConnection[] = [];
  attempts = 0;

  async connect(server: ServerConfig, options: ConnectOptions): Promise<Connection> {
    this.attempts += 1;
    options.signal.throwIfAborted();
    const behaviour = this.behaviours.get(server.id) ?? {};
    await behaviour.connect?.(options);
    const connection = new MemoryConnection(server, behaviour);
    this.connections.push(connection);
    return connection;
  }

  /** The newest connection of a server. */
  latest(serverId: string): MemoryConnection {
    const found = this.connections.findLast((connection) => connection.entry.id === serverId);
    if (found === undefined) throw new Error(`${serverId} was never connected`);
    return found;
  }

  get open(): readonly MemoryConnection[] {
    return this.connections.filter((connection) => !connection.isClosed);
  }
}

class MemoryConnection implements Connection {
  readonly server;
  readonly lost: Promise<HostError>;
  readonly entry: ServerConfig;
  readonly behaviour: MemoryBehaviour;
  isClosed = false;
  listings = 0;
  readonly #lose: (error: HostError) => void;
  readonly #running = new Set<(error: HostError) => void>();
  readonly #listeners = new Set<() => void>();

  constructor(entry: ServerConfig, behaviour: MemoryBehaviour) {
    this.entry = entry;
    this.behaviour = behaviour;
    this.server = { name: entry.name, version: '1.0.0', protocolVersion: '2025-11-25' };
    const { promise, resolve } = Promise.withResolvers<HostError>();
    this.lost = promise;
    this.#lose = resolve;
  }

  async listTools(signal: AbortSignal): Promise<readonly ToolDescription[]> {
    this.listings += 1;
    await this.behaviour.list?.(signal);
    return this.behaviour.tools ?? [echoTool];
  }

  callTool(call: ToolCall, options: CallOptions): Promise<RawToolResult> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#running.add(reject);
    const answer = this.behaviour.call?.(call, options) ?? echo(call);
    const ended = Promise.race([answer, promise]).finally(() => this.#running.delete(reject));
    return raceSignal(ended, options.signal);
  }

  async ping(signal: AbortSignal): Promise<void> {
    await this.behaviour.ping?.(signal);
  }

  onToolsChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }

  lastOutput(): string {
    return '';
  }

  get content(): ServerContent | undefined {
    return this.behaviour.content;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.behaviour.close?.();
    this.isClosed = true;
  }

  /** The process dies: running calls fail, and the loss is reported. */
  crash(message = `Server "${this.entry.name}" exited with code 1.`): void {
    const error = new HostError('server_unavailable', message, { server: this.entry.name });
    for (const reject of this.#running) reject(error);
    this.#lose(error);
  }

  changeTools(tools: readonly ToolDescription[]): void {
    this.behaviour.tools = tools;
    for (const listener of this.#listeners) listener();
  }
}

/** A promise that only the signal ends. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => onAbort(signal, reject));
}

export const echoTool: ToolDescription = {
  name: 'echo',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};

export function textResult(text: string): RawToolResult {
  return { content: [{ type: 'text', text }] };
}

async function echo({ arguments: given }: ToolCall): Promise<RawToolResult> {
  return textResult(String(given.text ?? ''));
}
