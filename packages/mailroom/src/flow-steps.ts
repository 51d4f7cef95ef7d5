import type { FlowContext } from '@errand/jobs';
import type { MailroomPorts } from './mailroom-ports.ts';
import { ToolFailure } from './mcp-client.ts';

export interface StepPorts extends Pick<MailroomPorts, 'backoff'> {
  /** Hears of trouble with the mailbox, and of its end. */
  readonly onTrouble: (error: unknown) => void;
}

/** Carries a step out, and waits where the world is broken: a server or the disk comes back. */
export async function untilDone<Result>(
  name: string,
  ports: StepPorts,
  context: FlowContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    const tried = await tryStep(name, ports, context, run);
    if (!('waitMs' in tried)) return tried.value;
    await context.sleep(ports.backoff(failures, tried.waitMs));
  }
}

/** Carries a step out once; when it fails, says how long the service asks to be left alone. */
export async function tryStep<Result>(
  name: string,
  { onTrouble }: Pick<StepPorts, 'onTrouble'>,
  context: FlowContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly value: Result } | { readonly waitMs: number }> {
  let waitMs = 0;
  try {
    const value = await context.step(name, async (signal) => {
      try {
        return await run(signal);
      } catch (error) {
        signal.throwIfAborted();
        waitMs = error instanceof ToolFailure ? error.waitMs : 0;
        onTrouble(error);
        throw error;
      }
    });
    return { value };
  } catch (error) {
    context.signal.throwIfAborted();
    const { code } = error as { readonly code?: unknown };
    if (code === 'closed' || code === 'cancelled') throw error;
    return { waitMs };
  }
}
