import type { EventSource, HookEvent, RunningSource } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';

/** A running source, and what it has told. */
interface StartedSource extends AsyncDisposable {
  readonly events: HookEvent[];
  readonly faults: unknown[];
  readonly source: RunningSource;
  /** Wants these triggers from now on; the hooks are named `hook-0`, `hook-1` and so on. */
  want(...triggers: readonly Trigger[]): Promise<void>;
}

/** Starts a source for a test. */
export async function startSource(
  { start }: EventSource,
  ...triggers: readonly Trigger[]
): Promise<StartedSource> {
  const events: HookEvent[] = [];
  const faults: unknown[] = [];
  let wanted = triggers;
  const source = await start({
    wanted: () => wanted.map((trigger, index) => ({ hookId: `hook-${index}`, trigger })),
    emit: async (event) => void events.push(event),
    onFault: (error) => faults.push(error),
  });
  return {
    events,
    faults,
    source,
    want: async (...now) => {
      wanted = now;
      // Some sources answer with a promise, which nobody but a test needs.
      await source.refresh();
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}
