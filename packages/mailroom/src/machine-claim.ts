import type { MailroomState } from './mail-board.ts';
import { MailroomError, stopped } from './mailroom-error.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import type { OrchestratorState } from './orchestrator-state.ts';

type ClaimPorts = Pick<
  MailroomPorts,
  'settings' | 'state' | 'machine' | 'clock' | 'log' | 'isWorker'
>;

type Obstacle = Extract<MailroomState, 'off' | 'first-start' | 'elsewhere' | 'shared' | 'paused'>;

/** Which machine works for the vault, from when on, and whether it is paused: a person's word, kept in the vault. */
export class MachineClaim {
  readonly #ports: ClaimPorts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: ClaimPorts) {
    this.#ports = ports;
  }

  /** Why this machine does nothing for the vault; nothing when it works. */
  async obstacle(): Promise<Obstacle | undefined> {
    if (this.#ports.settings() === null) return 'off';
    if (this.isShown) return 'shared';
    const stored = await this.#ports.state.read();
    if (stored === undefined) return 'first-start';
    if (stored.machine !== this.#ports.machine.id) return 'elsewhere';
    return stored.paused === true ? 'paused' : undefined;
  }

  /** Whether workers do everything, and this program shows it. */
  get isShown(): boolean {
    return this.#ports.settings()?.workers === true && !this.#ports.isWorker;
  }

  read(): Promise<OrchestratorState | undefined> {
    return this.#ports.state.read();
  }

  /** What is stored; throws at the first start. */
  async stored(): Promise<OrchestratorState> {
    if (this.isShown) throw stopped('shared');
    const stored = await this.read();
    if (stored !== undefined) return stored;
    throw stopped('first-start');
  }

  /** Whether nobody has said yet which mails to take; throws where another machine or workers do everything. */
  async isFirst(): Promise<boolean> {
    if (this.isShown) throw stopped('shared');
    const stored = await this.read();
    if (stored !== undefined && stored.machine !== this.#ports.machine.id)
      throw stopped('elsewhere');
    return stored === undefined;
  }

  /** Takes mails from a time on; at the first start it makes this machine the one that works for the vault. */
  async begin(since: number, mailbox: string | undefined): Promise<void> {
    await this.isFirst();
    const { machine } = this.#ports;
    await this.#change((stored) => ({
      paused: false,
      ...stored,
      ...(mailbox !== undefined && { mailbox }),
      machine: machine.id,
      machine_name: machine.name,
      since: new Date(since).toISOString(),
    }));
  }

  /** Makes this machine the one that works for the vault, with the mailbox that it is logged in to. */
  async takeOver(mailbox: string | undefined): Promise<void> {
    const { machine, log, clock } = this.#ports;
    const stored = await this.stored();
    if (stored.mailbox !== undefined && mailbox !== undefined && stored.mailbox !== mailbox) {
      const problem = `The notes here are mail of ${stored.mailbox}, and this machine is logged in as ${mailbox}.`;
      const next = `Log in as ${stored.mailbox}, or delete Logs/orchestrator_state.json and begin anew.`;
      throw new MailroomError('elsewhere', `${problem} ${next}`);
    }
    const since = stored.since === '' ? new Date(clock.now()).toISOString() : stored.since;
    const named = { since, machine: machine.id, machine_name: machine.name };
    await this.#change((now) => ({ ...stored, ...now, ...named }));
    const event = { event: 'machine_changed', severity: 'WARNING', message: machine.name };
    await log.write('decisions', event);
  }

  async setPaused(paused: boolean): Promise<void> {
    const stored = await this.stored();
    await this.#change((now = stored) => ({ ...now, paused }));
  }

  /** Keeps how far the mailbox was read. */
  async keepPoll(mailbox: string | undefined, historyId: string | undefined): Promise<void> {
    const { clock } = this.#ports;
    const stored = await this.stored();
    await this.#change((now = stored) => {
      const known = now.mailbox ?? mailbox;
      return {
        ...now,
        ...(known !== undefined && { mailbox: known }),
        ...(historyId !== undefined && { last_history_id: historyId }),
        last_poll_at: new Date(clock.now()).toISOString(),
      };
    });
  }

  /** One change after the other: a round that keeps how far it read must not undo a pause. */
  #change(change: (now: OrchestratorState | undefined) => OrchestratorState): Promise<void> {
    const { state } = this.#ports;
    const turn = this.#last.then(async () => state.write(change(await state.read())));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
