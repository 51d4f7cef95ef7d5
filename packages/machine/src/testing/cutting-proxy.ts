import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that can cut every connection that goes through it, and refuse new ones. */
export class CuttingProxy implements AsyncDisposable {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  /** How many pieces arrived since it was frozen. */
  held = 0;
  #isFrozen = false;
  #server: Server | undefined;
  #port = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** The target's address as seen through the proxy. */
  get url(): string {
    const seen = new URL(this.#target);
    seen.port = String(this.#port);
    return seen.href;
  }

  async start(): Promise<this> {
    const server = createServer((inside) => {
      const outside = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [inside, outside]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.#sockets.delete(socket);
          inside.destroy();
          outside.destroy();
        });
      }
      if (this.#isFrozen) this.#hold(inside);
      else inside.pipe(outside).pipe(inside);
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Lets nothing more through, as a network that is gone: neither side is told. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) this.#hold(socket.unpipe());
  }

  /** Cuts what is open; the next connection works again. */
  cut(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #hold(socket: Socket): void {
    socket.on('data', () => {
      this.held += 1;
    });
    socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}
