import {
  type ContentChange,
  type ContentRequest,
  catchFaults,
  HostError,
  type ServerContent,
  type ServerFeatures,
} from '@errand/host';
import type { JsonObject } from '@errand/wire';
import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  type ServerCapabilities,
} from '@modelcontextprotocol/client';
import { warnOfFault } from '../node/warn-of-fault.ts';
import { maxTimerMs } from './sleep.ts';

interface ContentPorts {
  /** The client of the present session. */
  readonly client: () => Client;
  readonly request: (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<JsonObject>;
}

interface Followed {
  count: number;
  stop: Promise<() => void>;
}

/** The code of older revisions for a resource that does not exist. */
const resourceNotFound = -32002;

/** The resources and prompts of a server, over the client of its connection. */
export class McpContent implements ServerContent {
  readonly features: ServerFeatures;
  readonly #ports: ContentPorts;
  readonly #listeners: ((change: ContentChange) => void)[] = [];
  readonly #followed = new Map<string, Followed>();

  constructor(features: ServerFeatures, ports: ContentPorts) {
    this.features = features;
    this.#ports = ports;
  }

  async request({ method, params }: ContentRequest, signal: AbortSignal): Promise<JsonObject> {
    return this.#ports.request(method, params, signal).catch((error: unknown) => {
      throw refusal(error);
    });
  }

  async subscribe(uri: string, signal: AbortSignal): Promise<Disposable> {
    const followed = this.#followed.get(uri) ?? { count: 0, stop: this.#follow(uri, signal) };
    this.#followed.set(uri, followed);
    followed.count += 1;
    try {
      await followed.stop;
    } catch (error) {
      this.#followed.delete(uri);
      throw error;
    }
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(uri);
        isHeld = false;
      },
    };
  }

  onChanged(listener: (change: ContentChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Passes on what the server says has changed. */
  changed(change: ContentChange): void {
    for (const listener of this.#listeners) catchFaults(listener, warnOfFault)(change);
  }

  /** Subscribes again in a new session, where anything may have changed meanwhile. */
  renew(): void {
    for (const [uri, followed] of this.#followed) {
      followed.stop = this.#follow(uri, AbortSignal.timeout(renewMs));
      followed.stop.catch(() => undefined);
      this.changed({ kind: 'resource', uri });
    }
    if (this.features.resources) this.changed({ kind: 'resources' });
    if (this.features.prompts) this.changed({ kind: 'prompts' });
  }

  async #follow(uri: string, signal: AbortSignal): Promise<() => void> {
    const client = this.#ports.client();
    if (client.getProtocolEra() === 'modern') {
      const filter = { resourceSubscriptions: [uri] };
      const subscription = await client.listen(filter, { timeout: maxTimerMs });
      return () => void subscription.close().catch(() => undefined);
    }
    const { request } = this.#ports;
    await request('resources/subscribe', { uri }, signal).catch((error: unknown) => {
      throw refusal(error);
    });
    return () => {
      const ended = request('resources/unsubscribe', { uri }, AbortSignal.timeout(renewMs));
      ended.catch(() => undefined);
    };
  }

  #release(uri: string): void {
    const followed = this.#followed.get(uri);
    if (followed === undefined) return;
    followed.count -= 1;
    if (followed.count > 0) return;
    this.#followed.delete(uri);
    followed.stop.then((stop) => stop()).catch(() => undefined);
  }
}

const renewMs = 10_000;

/** What a server declares besides tools; undefined when that is nothing. */
export function featuresOf(
  capabilities: ServerCapabilities | undefined,
): ServerFeatures | undefined {
  const { resources, prompts, completions } = capabilities ?? {};
  if (resources === undefined && prompts === undefined) return undefined;
  return {
    ...(resources && { resources: true }),
    ...(resources?.subscribe && { subscriptions: true }),
    ...(prompts && { prompts: true }),
    ...(completions && { completions: true }),
  };
}

/** A request that the server understood and refused is the asker's mistake, not the server's failure. */
function refusal(error: unknown): unknown {
  if (!(error instanceof HostError && error.cause instanceof ProtocolError)) return error;
  const { code } = error.cause;
  if (code !== ProtocolErrorCode.InvalidParams && code !== resourceNotFound) return error;
  return new HostError('invalid_params', error.message, error.facts, { cause: error.cause });
}
