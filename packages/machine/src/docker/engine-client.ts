import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { HostError } from '@errand/host';
import { parseJson, readBody } from '@errand/wire/node';
import type { EngineAddress } from './engine-address.ts';
import { EngineRefusal } from './engine-refusal.ts';
import { openRawStream, type RawStream } from './open-raw-stream.ts';

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The newest version of the Engine API that this code was written for. */
const knownVersion = '1.47';

const mebibyte = 1024 * 1024;
/** How much of an answer is read: descriptions of containers are kilobytes. */
const longestAnswer = 8 * mebibyte;
/** How much of a refusal is read: it is a sentence. */
const longestRefusal = mebibyte;

/** Speaks to a Docker engine. Rejects with `docker_unavailable` when it cannot be reached. */
export class EngineClient {
  readonly address: EngineAddress;
  #version: string | undefined;

  constructor(address: EngineAddress) {
    this.address = address;
  }

  /** Asks for JSON. Rejects with an `EngineRefusal` when the engine says no. */
  async ask<Answer>(wanted: EngineRequest): Promise<Answer> {
    const answer = await this.stream(wanted);
    const body = await readAnswer(answer, longestAnswer);
    if (body.kind === 'aborted') throw this.#unavailable(body.error, wanted.signal);
    if (body.kind === 'too-large') {
      throw this.#unreadable(`of more than ${longestAnswer / mebibyte} MiB`);
    }
    if (body.bytes.length === 0) return undefined as Answer;
    const parsed = parseJson(body.bytes);
    if (parsed.kind === 'invalid') throw this.#unreadable('that cannot be read');
    return parsed.value as Answer;
  }

  /** Asks for an answer that comes bit by bit. */
  async stream(wanted: EngineRequest): Promise<IncomingMessage> {
    return this.#send(await this.#versioned(wanted));
  }

  /** Turns the connection of a POST into a stream in both directions. */
  async hijack(wanted: EngineRequest): Promise<RawStream> {
    const { path, query } = await this.#versioned(wanted);
    const stream = await openRawStream(this.address, path + searchOf(query)).catch((error) => {
      throw this.#unavailable(error, wanted.signal);
    });
    if (stream !== undefined) return stream;
    // Asked as usual, the engine says why not.
    await this.ask(wanted);
    throw new Error(`The engine at ${this.address.name} did not open a stream.`);
  }

  async #versioned(wanted: EngineRequest): Promise<EngineRequest> {
    this.#version ??= await this.#negotiate(wanted.signal);
    return { ...wanted, path: `/v${this.#version}${wanted.path}` };
  }

  async #negotiate(signal: AbortSignal | undefined): Promise<string> {
    const answer = await this.#send({ method: 'GET', path: '/_ping', ...(signal && { signal }) });
    // Its headers say it all; the body of a hostile engine might not end.
    answer.destroy();
    const offered = answer.headers['api-version'];
    return typeof offered === 'string' ? olderVersion(offered, knownVersion) : knownVersion;
  }

  async #send(wanted: EngineRequest): Promise<IncomingMessage> {
    const { body, signal } = wanted;
    const outgoing = await this.#request(wanted);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', (error) => reject(this.#unavailable(error, signal)));
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
    const { statusCode = 0 } = answer;
    if (statusCode < 400) return answer;
    const refusal = await readAnswer(answer, longestRefusal);
    if (refusal.kind === 'aborted') throw this.#unavailable(refusal.error, signal);
    throw new EngineRefusal(statusCode, refusal.kind === 'read' ? refusal.bytes.toString() : '');
  }

  async #request({ method, path, query, body, headers, signal }: EngineRequest) {
    const { socketPath, host, port, tls } = this.address;
    const options: RequestOptions = {
      method,
      path: path + searchOf(query),
      // A connection each: the engine may be restarted at any time, and they cost next to nothing.
      agent: false,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(socketPath === undefined ? { host, port } : { socketPath, host: 'docker' }),
      ...(signal && { signal }),
    };
    if (tls === undefined) return request(options);
    // Loaded when it is used: it costs megabytes.
    return (await import('node:https')).request({ ...options, ...tls });
  }

  #unreadable(what: string): HostError {
    return new HostError(
      'docker_unavailable',
      `The Docker engine at ${this.address.name} sent an answer ${what}. Check what listens there, restart it, or set DOCKER_HOST to another engine.`,
      { neverSent: true },
    );
  }

  #unavailable(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    const { name, socketPath } = this.address;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return new HostError(
      'docker_unavailable',
      code === 'EACCES'
        ? `You may not use the Docker engine at ${name}. Join the group that owns ${socketPath} (on most systems: sudo usermod -aG docker $USER, then log in again), or set DOCKER_HOST to an engine of your own.`
        : `No Docker engine answers at ${name}. Start it (Docker Desktop, or: sudo systemctl start docker), install it, or set DOCKER_HOST to one that runs.`,
      { neverSent: true },
      { cause: error },
    );
  }
}

async function readAnswer(answer: IncomingMessage, limit: number) {
  const body = await readBody(answer, limit, answer.headers['content-length']);
  if (body.kind === 'too-large') answer.destroy();
  return body;
}

function searchOf(query: EngineRequest['query']): string {
  return query === undefined ? '' : `?${new URLSearchParams(query)}`;
}

function olderVersion(a: string, b: string): string {
  const [major = 0, minor = 0] = a.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = b.split('.').map(Number);
  return major * 1000 + minor < otherMajor * 1000 + otherMinor ? a : b;
}
