import {
  type Connectors,
  type Host,
  type ServerConfig,
  type TestStep,
  type Trust,
  testServer,
} from '@errand/host';

interface ServerTestsPorts {
  readonly host: Pick<Host, 'servers'>;
  readonly connectors: Connectors;
  readonly trust: Pick<Trust, 'mayStart'>;
}

/** A test as it goes on, or the last one. */
export interface RunningTest {
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly steps: readonly TestStep[];
  /** How many tools it has, after a good test. */
  readonly tools?: number;
  readonly error?: unknown;
}

/**
 * Tests of servers that somebody watches; a server that works can be enabled by its test (D16). What nobody has
 * agreed to is not started.
 */
export class ServerTests implements AsyncDisposable {
  readonly #ports: ServerTestsPorts;
  readonly #listeners = new Set<(serverId: string) => void>();
  readonly #tests = new Map<string, RunningTest>();
  readonly #testing = new Map<string, { controller: AbortController; done: Promise<void> }>();

  constructor(ports: ServerTestsPorts) {
    this.#ports = ports;
  }

  /** Calls back with a server's id whenever its test went on. */
  subscribe(listener: (serverId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  of(serverId: string): RunningTest | undefined {
    return this.#tests.get(serverId);
  }

  /** Begins a test in place of the one that runs; resolves when it has ended. */
  begin(server: ServerConfig, { enables = false } = {}): Promise<void> {
    this.#testing.get(server.id)?.controller.abort();
    const controller = new AbortController();
    const done = this.#test(server, enables, controller.signal).finally(() => {
      if (this.#testing.get(server.id)?.controller === controller) this.#testing.delete(server.id);
    });
    this.#testing.set(server.id, { controller, done });
    return done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    const all = [...this.#testing.values()];
    for (const { controller } of all) controller.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  async #test(server: ServerConfig, enables: boolean, signal: AbortSignal): Promise<void> {
    let test: RunningTest = { isRunning: true, startedAt: Date.now(), steps: [] };
    const show = (change: Partial<RunningTest>) => {
      if (signal.aborted) return;
      test = { ...test, ...change };
      this.#tests.set(server.id, test);
      for (const listener of this.#listeners) listener(server.id);
    };
    show({});
    try {
      const refusal = this.#ports.trust.mayStart(server);
      if (refusal !== undefined) throw refusal;
      const { tools, error } = await testServer(
        server,
        { connectors: this.#ports.connectors },
        {
          signal,
          onStep: (step) => show({ steps: [...test.steps, step] }),
        },
      );
      if (error === undefined && enables && !signal.aborted) await this.#enable(server.id);
      show({ isRunning: false, ...(error === undefined ? { tools: tools.length } : { error }) });
    } catch (error) {
      show({ isRunning: false, error });
    }
  }

  async #enable(id: string): Promise<void> {
    const { servers } = this.#ports.host;
    // It may have been removed during the test.
    if (servers.list().some((server) => server.id === id)) await servers.setEnabled(id, true);
  }
}
