import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LeaseFolder } from '../lease/lease-folder.ts';
import type { OwnerInfo } from '../lease/owner-info.ts';

/** What a contender is told to do with the lease of a vault. */
export type Order = { readonly folder: LeaseFolder } & (
  | { readonly do: 'join' | 'ask' | 'release' }
  | { readonly do: 'seize'; readonly from: OwnerInfo }
);

/** What became of an order. */
export interface Report {
  readonly owns?: OwnerInfo;
  readonly attachedTo?: OwnerInfo;
  readonly error?: string;
}

/** A process that takes part in the race for the lease of a vault. */
export interface Contender extends AsyncDisposable {
  readonly pid: number;
  /** Carries an order out; rejects when no report comes within 30 s. */
  tell(order: Order): Promise<Report>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/** Starts a contender, as another user where one is given. */
export async function startContender(uid?: number): Promise<Contender> {
  const program = new URL('./contender-program.ts', import.meta.url);
  const child = fork(program, { execArgv: [], ...(uid !== undefined && { uid }) });
  const exited = once(child, 'exit');
  await once(child, 'spawn');
  let lastId = 0;
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    tell(order) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(reject, new Error(`no report of ${order.do}`)), 30_000);
        const onMessage = (message: unknown) => {
          const { id: answered, ...report } = message as Report & { readonly id: number };
          if (answered === id) end(resolve, report);
        };
        const onExit = () => end(reject, new Error(`${child.pid} ended before it reported`));
        function end<Value>(settle: (value: Value) => void, value: Value) {
          clearTimeout(timer);
          child.off('message', onMessage).off('exit', onExit);
          settle(value);
        }
        child.on('message', onMessage).on('exit', onExit);
        child.send({ ...order, id });
      });
    },
    signal: (name) => void child.kill(name),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
