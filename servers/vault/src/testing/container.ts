import { execFileSync } from 'node:child_process';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Duplex } from 'node:stream';

/** The tests' Docker engine, spoken to over its socket. */
export class TestEngine {
  readonly #socketPath: string;

  constructor(host: string) {
    this.#socketPath = host.replace(/^unix:\/\//, '');
  }

  /** Builds an image from a folder with a Dockerfile; answers with what the engine said. */
  async build(folder: string, tag: string, baseImage: string): Promise<string> {
    const context = execFileSync(
      'tar',
      ['-c', '-C', folder, '.dockerignore', 'Dockerfile', 'package.json', 'dist'],
      {
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const args = encodeURIComponent(JSON.stringify({ BASE_IMAGE: baseImage }));
    const path = `/build?t=${tag}&buildargs=${args}&rm=1&forcerm=1`;
    return await this.#ask('POST', path, context, { 'Content-Type': 'application/x-tar' });
  }

  /** Makes and starts a container; answers with its id and its standard input and output. */
  async run(config: Readonly<Record<string, unknown>>): Promise<{ id: string; stream: Duplex }> {
    const body = {
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      AttachStdout: true,
      ...config,
    };
    const { Id: id } = JSON.parse(await this.#ask('POST', '/containers/create', body));
    const stream = await this.#attach(id);
    await this.#ask('POST', `/containers/${id}/start`);
    return { id, stream };
  }

  /** Waits for a container to end by itself; answers with its exit code. */
  async wait(id: string): Promise<number> {
    return JSON.parse(await this.#ask('POST', `/containers/${id}/wait`)).StatusCode;
  }

  async remove(id: string): Promise<void> {
    await this.#ask('DELETE', `/containers/${id}?force=true`);
  }

  async removeImage(tag: string): Promise<void> {
    await this.#ask('DELETE', `/images/${tag}?force=true`);
  }

  async #ask(method: string, path: string, body?: object, headers = {}): Promise<string> {
    const isRaw = Buffer.isBuffer(body);
    const content = body === undefined || isRaw ? body : JSON.stringify(body);
    const type = isRaw ? headers : { 'Content-Type': 'application/json' };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request({ ...this.#options(method, path), headers: type }, resolve)
      .on('error', reject)
      .end(content);
    const response = await promise;
    const text = Buffer.concat(await response.toArray()).toString();
    if ((response.statusCode ?? 0) >= 400) throw new Error(`${method} ${path}: ${text}`);
    return text;
  }

  #attach(id: string): Promise<Duplex> {
    const path = `/containers/${id}/attach?stream=1&stdin=1&stdout=1`;
    const headers = { Connection: 'Upgrade', Upgrade: 'tcp' };
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
    request({ ...this.#options('POST', path), headers })
      .on('upgrade', (_, socket) => resolve(socket))
      .on('error', reject)
      .end();
    return promise;
  }

  #options(method: string, path: string): RequestOptions {
    return { socketPath: this.#socketPath, method, path };
  }
}

/** The text in a container's attached stream, in which each piece has a header of eight bytes. */
export async function* textOf(stream: Duplex): AsyncGenerator<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 8 && bytes.length >= 8 + bytes.readUInt32BE(4)) {
      const end = 8 + bytes.readUInt32BE(4);
      yield bytes.subarray(8, end).toString();
      bytes = bytes.subarray(end);
    }
  }
}
