import { randomBytes } from 'node:crypto';
import type { Host, Notifier } from '@errand/host';
import { gatewayName } from './editor-tool.ts';

/** Where a gateway listens, and what its clients have to send. */
export interface GatewayAddress {
  readonly url: string;
  readonly token: string;
}

interface GatewayPorts {
  readonly host: Host;
  readonly version: string;
  readonly notifier: Notifier;
}

/** The servers of a vault as one MCP server for the agents of the editor; it listens once somebody asks for it. */
export class VaultGateway implements AsyncDisposable {
  readonly #ports: GatewayPorts;
  readonly #stack = new AsyncDisposableStack();
  #address: Promise<GatewayAddress> | undefined;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  address(): Promise<GatewayAddress> {
    this.#address ??= this.#listen().catch((error: unknown) => {
      this.#address = undefined;
      throw error;
    });
    return this.#address;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#address?.catch(() => undefined);
    await this.#stack.disposeAsync();
  }

  async #listen(): Promise<GatewayAddress> {
    const { host, version, notifier } = this.#ports;
    // Loaded by those who use it: it would cost every other window its time.
    const { Gateway, gatewayHostFrom, listenOnHttp } = await import('@errand/gateway');
    const token = randomBytes(32).toString('base64url');
    const gateway = new Gateway(gatewayHostFrom(host), {
      info: { name: gatewayName, version },
      notifier,
    });
    this.#stack.use(gateway);
    const listener = await listenOnHttp(gateway, { token });
    this.#stack.use(listener);
    return { url: listener.url, token };
  }
}
