import type { ServerConfig } from '@errand/host';
import type { ServerCondition, ServerDraft } from '@errand/workspace/servers';
import type { Failure } from './failure.ts';
import type { Time } from './time.ts';

/** A server's snapshot, without the parts of its entry that may hold secrets. */
export interface Server
  extends ServerCondition,
    Pick<ServerConfig, 'id' | 'name' | 'transport' | 'deploymentType'> {
  /** The first line of what it does: `runs npx -y …`, `connects to https://…`. */
  readonly summary: string;
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
  /** What can be changed, as a form shows it. */
  readonly draft: ServerDraft;
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
