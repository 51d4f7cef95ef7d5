import type { FlowOptions, SharedJobEngine } from '@errand/jobs';
import type { Mailroom } from './mailroom.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import type { OrchestratorState, StateStore } from './orchestrator-state.ts';
import { scopedJobs, scopedName } from './scoped-jobs.ts';
import { type SenderCounts, sharedSenderCounts } from './sender-counts.ts';

/** The job whose program looks at the mailbox and at the folders; the others only work on mails. */
const holding = 'mailbox';

/** A mailbox that several programs work for: its mails are anybody's, and one at a time looks for new ones. */
export interface SharedMailbox {
  /** Begins to work in the engine that the programs share; mails are taken that came after the first program began. */
  start(jobs: SharedJobEngine): Promise<void>;
}

/** What is known once a program works for a shared mailbox. */
export interface SharedStart {
  /** From when on mails are taken. */
  readonly since: number;
  readonly senders: SenderCounts;
}

/** Lets a mailroom share its mailbox, named by its address, with others. */
export function sharedMailbox(
  room: Mailroom,
  address: string,
  onStart: (start: SharedStart) => void,
): SharedMailbox {
  const flows: Record<string, FlowOptions> = {
    ...room.flows,
    [holding]: { run: (_, context) => room.hold(context) },
  };
  return {
    async start(jobs) {
      const own = scopedJobs(jobs, address);
      room.start(own, { isTimed: false });
      await jobs.add(
        Object.fromEntries(
          Object.entries(flows).map(([name, flow]) => [scopedName(address, name), flow]),
        ),
      );
      const { createdAt } = await own.start(holding, { address }, { id: holding });
      const now = () => room.ports.clock.now();
      onStart({ since: createdAt, senders: sharedSenderCounts(jobs.counts, address, now) });
    },
  };
}

/** What the mailroom of a shared mailbox has of others: it waits until it works for it. */
export function sharedPorts(
  machine: string,
  start: Promise<SharedStart>,
): Pick<MailroomPorts, 'state' | 'senders'> {
  return {
    state: sharedState(
      machine,
      start.then(({ since }) => since),
    ),
    senders: {
      add: async (...mail) => (await start).senders.add(...mail),
      recent: async (...mail) => (await start).senders.recent(...mail),
    },
  };
}

/** What is known of a shared mailbox: the jobs say who works, and how far it was read is looked up again. */
function sharedState(machine: string, since: Promise<number>): StateStore {
  let known: OrchestratorState | undefined;
  return {
    async read() {
      known ??= { machine, since: new Date(await since).toISOString() };
      return known;
    },
    async write(state) {
      known = state;
    },
  };
}
