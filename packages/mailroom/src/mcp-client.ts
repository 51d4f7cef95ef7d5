import { randomUUID } from 'node:crypto';
import type { CallOutcome, Host } from '@errand/host';
import { isRecord } from '@errand/wire';
import type { MailLog } from './mail-log.ts';

/** A tool that did not do what it was asked for. */
export class ToolFailure extends Error {
  /** One of S4's codes; `mcp_unavailable` when the server itself cannot be used. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'ToolFailure';
    this.code = code;
    this.details = details;
  }

  /** How long the service asks to be left alone, in milliseconds. */
  get waitMs(): number {
    const seconds = Number(this.details.retry_after);
    return seconds > 0 ? seconds * 1000 : 0;
  }
}

export interface MCPClientPorts {
  /** The name of the server in the settings. */
  readonly serverName: () => string;
  readonly host: Pick<Host, 'execute'> & { readonly servers: Pick<Host['servers'], 'find'> };
  readonly log: MailLog;
  /** Milliseconds for one call. */
  readonly callTimeoutMs?: number;
}

/** How a call is counted, and stopped. */
export interface ToolCallOptions {
  /** What counts as one: a mail, a round. */
  readonly session: string;
  readonly signal?: AbortSignal;
}

const usualTimeoutMs = 30_000;

/** Answers of the tool itself: the same question gets the same answer, also around the server. */
const answers: ReadonlySet<string> = new Set([
  'not_found',
  'conflict',
  'invalid_input',
  'parse_error',
  'permission_denied',
]);

/**
 * Calls tools of one server through the host's executor, with the requirement's fallback rule: a failure is logged, the
 * fallback is carried out where there is one, and what fails then too is escalated.
 */
export class MCPClient {
  readonly #ports: MCPClientPorts;

  constructor(ports: MCPClientPorts) {
    this.#ports = ports;
  }

  async callTool<Result extends object = Readonly<Record<string, unknown>>>(
    toolName: string,
    parameters: Readonly<Record<string, unknown>>,
    options: ToolCallOptions,
    fallback?: () => Promise<Result>,
  ): Promise<Result> {
    const { log, serverName } = this.#ports;
    const server = serverName();
    try {
      return (await this.#call(toolName, parameters, options)) as Result;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof ToolFailure) || answers.has(error.code)) throw error;
      const facts = { server, tool: toolName, error: error.code, message: error.message };
      if (fallback === undefined) {
        await log.write('mcp_fallback', { event: 'mcp_escalation', severity: 'ERROR', ...facts });
        throw error;
      }
      await log.write('mcp_fallback', { event: 'mcp_fallback', severity: 'WARNING', ...facts });
      try {
        return await fallback();
      } catch (second) {
        const message = second instanceof Error ? second.message : String(second);
        await log.write('mcp_fallback', {
          event: 'mcp_escalation',
          severity: 'ERROR',
          ...facts,
          message,
        });
        throw second;
      }
    }
  }

  async #call(
    toolName: string,
    parameters: Readonly<Record<string, unknown>>,
    { session, signal }: ToolCallOptions,
  ): Promise<object> {
    const { host, serverName, callTimeoutMs = usualTimeoutMs } = this.#ports;
    const name = serverName();
    const server = host.servers.find(name);
    if (server === undefined) {
      throw new ToolFailure('mcp_unavailable', `There is no server "${name}" in the settings.`);
    }
    const outcome = await host.execute(
      {
        id: randomUUID(),
        serverId: server.id,
        toolName,
        parameters,
        source: 'mail',
        sessionId: session,
        timeout: callTimeoutMs,
      },
      { ...(signal && { signal }) },
    );
    return contentOf(outcome);
  }
}

/** The structured answer of a tool; its failures, and those of the way to it, are thrown. */
function contentOf(outcome: CallOutcome): object {
  const { result } = outcome;
  if (outcome.status !== 'success') {
    const said = result && errorIn(result.raw.content);
    if (said !== undefined) throw said;
    throw new ToolFailure('mcp_unavailable', outcome.error.message, { code: outcome.error.code });
  }
  const { structuredContent } = outcome.result.raw;
  if (isRecord(structuredContent)) return structuredContent;
  throw new ToolFailure('internal_error', 'The tool answered without structured content.');
}

/** An error that one of our servers reports: `{ error, message, details }`. */
function errorIn(content: unknown): ToolFailure | undefined {
  const [part] = Array.isArray(content) ? content : [];
  if (!isRecord(part) || typeof part.text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(part.text);
    if (!isRecord(value) || typeof value.error !== 'string') return undefined;
    const { error, message, details } = value;
    return new ToolFailure(error, String(message ?? error), isRecord(details) ? details : {});
  } catch {
    return new ToolFailure('internal_error', part.text.slice(0, 300));
  }
}
