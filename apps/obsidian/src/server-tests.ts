import {
  type Connectors,
  defaultRetryPlan,
  type ServerConfig,
  systemClock,
  type TestStep,
  testServer,
} from '@errand/host';
import { inObsidianWords } from './in-obsidian-words.ts';

/** A test of a server: how far it is, or what it found. */
export interface ServerTestState {
  readonly isRunning: boolean;
  readonly steps: readonly TestStep[];
  /** After a good test. */
  readonly tools: number | null;
  readonly error: string | null;
}

/** Tests servers for those who ask; the last test of each is remembered. */
export class ServerTests implements AsyncDisposable {
  readonly #connectors: Connectors;
  readonly #onChange: () => void;
  readonly #states = new Map<string, ServerTestState>();
  readonly #running = new Map<string, Promise<ServerTestState>>();
  readonly #closing = new AbortController();

  constructor(connectors: Connectors, onChange: () => void) {
    this.#connectors = connectors;
    this.#onChange = onChange;
  }

  of(serverId: string): ServerTestState | undefined {
    return this.#states.get(serverId);
  }

  /** Tests a server; a test under way is joined. */
  run(server: ServerConfig): Promise<ServerTestState> {
    const known = this.#running.get(server.id);
    if (known !== undefined) return known;
    const running = this.#test(server).finally(() => this.#running.delete(server.id));
    this.#running.set(server.id, running);
    return running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #test(server: ServerConfig): Promise<ServerTestState> {
    const steps: TestStep[] = [];
    const show = (change: Partial<ServerTestState>): ServerTestState => {
      const state = { isRunning: false, steps: [...steps], tools: null, error: null, ...change };
      this.#states.set(server.id, state);
      this.#onChange();
      return state;
    };
    show({ isRunning: true });
    const ports = { connectors: this.#connectors, clock: systemClock, plan: defaultRetryPlan };
    const { tools, error } = await testServer(server, ports, {
      signal: this.#closing.signal,
      onStep: (step) => {
        steps.push(step);
        show({ isRunning: true });
      },
    });
    return show(error ? { error: inObsidianWords(error.message) } : { tools: tools.length });
  }
}
