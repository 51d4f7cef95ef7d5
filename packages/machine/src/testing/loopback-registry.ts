import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';

/** A registry on loopback with one image, `small:1`, for tests. */
export class LoopbackRegistry implements AsyncDisposable {
  /** `user:password` that is asked for; nobody is asked without it. */
  login: string | undefined;
  /** Sends no layer while it is set. */
  isStalled = false;
  /** Called when a layer is asked for. */
  onLayer: () => void = () => undefined;
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  readonly #blobs = new Map<string, Buffer>();
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));
  readonly #manifest: Buffer;

  constructor() {
    const tar = layerTar();
    const config = this.#add(
      Buffer.from(
        JSON.stringify({
          architecture: process.arch === 'x64' ? 'amd64' : process.arch,
          os: 'linux',
          config: {},
          rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
        }),
      ),
      'application/vnd.docker.container.image.v1+json',
    );
    const layer = this.#add(
      gzipSync(tar, { level: 0 }),
      'application/vnd.docker.image.rootfs.diff.tar.gzip',
    );
    this.#manifest = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers: [layer] }),
    );
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #add(blob: Buffer, mediaType: string) {
    this.#blobs.set(digestOf(blob), blob);
    return { mediaType, size: blob.length, digest: digestOf(blob) };
  }

  #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.asked.push(url);
    const wanted = this.login && `Basic ${Buffer.from(this.login).toString('base64')}`;
    if (wanted && headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="errand"' }).end();
      return;
    }
    const [, kind, reference = ''] = /^\/v2\/small\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
    if (url === '/v2/') response.end('{}');
    else if (kind === 'manifests' && ['1', digestOf(this.#manifest)].includes(reference)) {
      response.writeHead(200, {
        'content-type': manifestType,
        'content-length': this.#manifest.length,
        'docker-content-digest': digestOf(this.#manifest),
      });
      response.end(this.#manifest);
    } else if (kind === 'blobs' && this.#blobs.has(reference)) {
      this.#sendBlob(this.#blobs.get(reference) ?? Buffer.alloc(0), response);
    } else response.writeHead(404).end(JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN' }] }));
  }

  #sendBlob(blob: Buffer, response: ServerResponse): void {
    const isLayer = blob.length > 100_000;
    if (isLayer) this.onLayer();
    response.writeHead(200, { 'content-length': blob.length });
    if (isLayer && this.isStalled) response.write(blob.subarray(0, 1000));
    else response.end(blob);
  }
}

function layerTar(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'errand-layer-'));
  try {
    writeFileSync(join(folder, 'ballast'), randomBytes(4_000_000));
    return execFileSync('tar', ['-C', folder, '-c', '.'], { maxBuffer: 10_000_000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function digestOf(blob: Buffer): string {
  return `sha256:${createHash('sha256').update(blob).digest('hex')}`;
}
