import type { FlowOptions, JobEngine } from '@errand/jobs';
import type { Mailroom } from './mailroom.ts';
import type { OrchestratorState, StateStore } from './orchestrator-state.ts';
import { scopedJobs, scopedName } from './scoped-jobs.ts';

/** The job whose program looks at the mailbox and at the folders; the others only work on mails. */
const holding = 'mailbox';

/** A mailbox that several programs work for: its mails are anybody's, and one at a time looks for new ones. */
export interface SharedMailbox {
  /** The flows of its jobs, for the engine that the programs share. */
  readonly flows: Readonly<Record<string, FlowOptions>>;
  /** Begins to work; mails are taken that came after the first program began. */
  start(jobs: JobEngine): Promise<void>;
}

/** Lets a mailroom share its mailbox, named by its address, with others. */
export function sharedMailbox(
  room: Mailroom,
  address: string,
  since: (time: number) => void,
): SharedMailbox {
  const flows: Record<string, FlowOptions> = {
    ...room.flows,
    [holding]: { run: (_, context) => room.hold(context) },
  };
  return {
    flows: Object.fromEntries(
      Object.entries(flows).map(([name, flow]) => [scopedName(address, name), flow]),
    ),
    async start(jobs) {
      const own = scopedJobs(jobs, address);
      room.start(own, { isTimed: false });
      const { createdAt } = await own.start(holding, { address }, { id: holding });
      since(createdAt);
    },
  };
}

/** What is known of a shared mailbox: the jobs say who works, and how far it was read is looked up again. */
export function sharedState(machine: string, since: Promise<number>): StateStore {
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
