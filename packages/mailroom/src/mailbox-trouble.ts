import type { MailroomState } from './mail-board.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { ToolFailure } from './mcp-client.ts';
import { unwritableProblem } from './unwritable-problem.ts';

/** Failures that are not about one mail. */
const unreachableCodes: ReadonlySet<string> = new Set([
  'mcp_unavailable',
  'rate_limited',
  'internal_error',
]);

const mostWarned = 1_000;

type TroublePorts = Pick<MailroomPorts, 'emit' | 'notifier' | 'onFault'>;

type TroubleState = Extract<MailroomState, 'login-lost' | 'unreachable' | 'unwritable'>;

/** What is wrong with the mailbox or with the disk of the vault at the moment, told once. */
export class MailboxTrouble {
  readonly #ports: TroublePorts;
  readonly #warned = new Set<string>();
  /** Faults of our own or of a model since the mailbox last answered: every mail that waits may have the same. */
  readonly #faults = new Set<string>();
  #now: { readonly state: TroubleState; readonly message: string } | undefined;
  #told: MailroomState | undefined;

  constructor(ports: TroublePorts) {
    this.#ports = ports;
  }

  get state(): TroubleState | undefined {
    return this.#now?.state;
  }

  get message(): string | undefined {
    return this.#now?.message;
  }

  /** The mailbox answers. */
  clear(): void {
    this.#faults.clear();
    if (this.#now?.state !== 'unwritable') this.#now = undefined;
  }

  /** The vault was written. */
  clearDisk(): void {
    if (this.#now?.state === 'unwritable') this.#now = undefined;
  }

  /** Takes a failure in: one of the mailbox as a whole, one of a mail, or one of our own. */
  note(error: unknown): void {
    const { notifier } = this.#ports;
    const problem = unwritableProblem(error);
    if (problem !== undefined) this.#set('unwritable', problem);
    else if (!(error instanceof ToolFailure)) this.#tellFault(error);
    else if (error.code === 'auth_required') this.#set('login-lost', error.message);
    else if (unreachableCodes.has(error.code)) this.#set('unreachable', error.message);
    else if (!this.#warned.has(error.message)) {
      // Every note has a message of its own.
      if (this.#warned.size > mostWarned) this.#warned.clear();
      this.#warned.add(error.message);
      notifier.notify({ level: 'warning', message: error.message });
    }
  }

  /** Tells the programs on the vault the state of the mailroom, when it is another than they know. */
  tell(state: MailroomState): void {
    if (state !== this.#told) this.#ports.emit({ kind: 'state-changed', state });
    this.#told = state;
  }

  #tellFault(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#faults.has(message)) return;
    this.#faults.add(message);
    this.#ports.onFault(error);
  }

  #set(state: TroubleState, message: string): void {
    if (this.#now?.state !== state) {
      this.#ports.notifier.notify({ level: 'warning', message });
      this.#ports.emit({ kind: 'state-changed', state });
      this.#told = state;
    }
    this.#now = { state, message };
  }
}
