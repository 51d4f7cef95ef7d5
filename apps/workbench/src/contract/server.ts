import type { Failure } from './failure.ts';
import type { Time } from './time.ts';

export interface ServerList {
  readonly servers: readonly Server[];
}

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'sse' | 'http';
  readonly deploymentType: 'local' | 'managed' | 'external';
  /** The first line of what it does: `runs npx -y …`, `connects to https://…`. */
  readonly summary: string;
  readonly enabled: boolean;
  /** Switched off after repeated failures. */
  readonly autoDisabled: boolean;
  readonly autoDisabledAt: Time | null;
  readonly trust: 'trusted' | 'new' | 'changed';
  readonly connectionState: 'disconnected' | 'connecting' | 'connected' | 'error';
  /** What a server that is being connected waits for. */
  readonly step: { readonly name: string; readonly detail?: string } | null;
  /** Why it is not connected. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly tools: number | null;
  readonly latencyMs: number | null;
  readonly lastConnectedAt: Time | null;
  readonly lastAttemptAt: Time | null;
  readonly lastFailureAt: Time | null;
  /** Failed retries so far, of `attempts`. */
  readonly attempt: number;
  readonly attempts: number;
  readonly isRetrying: boolean;
  /** Count down to it. */
  readonly nextRetryAt: Time | null;
  /** The last test that was asked for since the program started. */
  readonly test: ServerTest | null;
}

export interface ServerTest {
  readonly isRunning: boolean;
  readonly startedAt: Time;
  readonly steps: readonly TestStep[];
  /** After a good test. */
  readonly tools: number | null;
  readonly error: Failure | null;
}

export interface TestStep {
  readonly name: 'start' | 'pull' | 'handshake' | 'tools' | 'ping';
  readonly detail?: string;
  readonly durationMs: number;
  readonly isDone: boolean;
}

export interface ServerDetails {
  readonly server: Server;
  /** What can be changed, as the form has it. */
  readonly form: ServerForm;
  /** What it does on this machine, in full, line by line. */
  readonly does: readonly string[];
  /** Who the connected server says it is. */
  readonly identity: {
    readonly name: string;
    readonly version: string;
    readonly protocolVersion: string;
    readonly instructions?: string;
  } | null;
  /** The last lines it wrote to standard error; empty for remote servers. */
  readonly lastWords: string;
}

/** How a server is reached, as a form shows it. `${env:NAME}` and `${secret:NAME}` may stand in texts. */
export type ServerForm = {
  readonly name: string;
  /** When a model asks for a tool that is not read-only; `ask` without it. */
  readonly approval?: 'ask' | 'allow' | 'deny';
  /** Milliseconds a call may take, 1,000 to 300,000; null or missing: as for all servers. */
  readonly timeout?: number | null;
} & LaunchForm;

export type LaunchForm =
  | {
      readonly kind: 'command';
      /** Program and arguments on one line; quotes keep words together. */
      readonly command: string;
      readonly env?: Readonly<Record<string, string>>;
      /** Relative to the vault. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'image';
      readonly image: string;
      /** `stdio` without it. */
      readonly transport?: 'stdio' | 'sse' | 'http';
      /** What the container runs, when not the image's own. */
      readonly command?: string;
      /** Inside the container; needed for sse and http. */
      readonly port?: number;
      /** On this machine; 0 or missing lets the engine choose. */
      readonly outsidePort?: number;
      readonly path?: string;
      readonly env?: Readonly<Record<string, string>>;
      /** As `256m`. */
      readonly memory?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** `http` without it. */
      readonly transport?: 'sse' | 'http';
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface AddServer {
  readonly server: ServerForm;
  /** Stores it switched off and does not test it. */
  readonly disabled?: boolean;
}

export interface EditServer {
  readonly server: ServerForm;
  /** Enables it when the test is good, as after adding it. */
  readonly enables?: boolean;
}

export interface SetEnabled {
  readonly enabled: boolean;
}

export interface PastedText {
  readonly text: string;
}

export interface PastedServers {
  readonly servers: readonly PastedServer[];
  /** Entries that cannot be used here, each with the reason. */
  readonly problems: readonly string[];
}

export interface PastedServer {
  /** For `ImportServers.names`: what it will be called here. */
  readonly name: string;
  /** What it is called there. */
  readonly originalName: string;
  readonly program: string;
  readonly does: readonly string[];
  /** What is different here, and what to do about it. */
  readonly notes: readonly string[];
}

export interface ImportServers {
  readonly text: string;
  /** Of `PastedServer`; without it all. */
  readonly names?: readonly string[];
  readonly disabled?: boolean;
}
