import type { Params } from '@errand/parts/schema-form';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer, Failure, Progress, Time } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';

export interface ToolCall {
  readonly isRunning: boolean;
  readonly since: Time | undefined;
  readonly progress: Progress | undefined;
  readonly answer: CallAnswer | undefined;
  /** Why there is no answer. */
  readonly failure: Failure | undefined;
  readonly wasCancelled: boolean;
}

/** Calls a tool, one call at a time; unmounting cancels it. */
export function useToolCall(
  serverId: string,
  onRefused: (fields: Readonly<Record<string, string>>) => void,
) {
  const workbench = useWorkbench();
  const { calls } = workbench;
  const [call, setCall] = useState<Omit<ToolCall, 'isRunning' | 'progress'>>(idle);
  const running = useRef<{ readonly id: string; readonly ending: AbortController }>(undefined);
  useEffect(() => () => running.current?.ending.abort(), []);

  const run = async (tool: string, params: Params) => {
    if (workbench.refuseIfStopped()) return;
    const ending = new AbortController();
    const id = crypto.randomUUID();
    running.current = { id, ending };
    setCall({ ...idle, since: Date.now() });
    const request = { param: { id: serverId }, json: { id, tool, params } };
    try {
      const answer = await api.servers[':id'].call.$post(request, ending.signal);
      setCall({ ...idle, answer });
      if (answer.error?.fields) onRefused(answer.error.fields);
    } catch (error) {
      setCall(
        ending.signal.aborted
          ? { ...idle, wasCancelled: true }
          : { ...idle, failure: failureOf(error) },
      );
    } finally {
      running.current = undefined;
    }
  };

  const active = calls.value.active.find(({ id }) => id === running.current?.id);
  return {
    ...call,
    isRunning: call.since !== undefined,
    progress: active?.progress ?? undefined,
    run: (tool: string, params: Params) => void run(tool, params),
    cancel: () => running.current?.ending.abort(),
  };
}

const idle = {
  since: undefined,
  answer: undefined,
  failure: undefined,
  wasCancelled: false,
} as const;
