interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** What a browser has to trace for `longestTask`. */
export const taskCategories: readonly string[] = [
  'toplevel',
  'disabled-by-default-devtools.timeline',
  '__metadata',
];

/** The longest task of the pages in a trace of Chromium, in milliseconds of processor time: other programs of the machine do not count. */
export function longestTask(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  );
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}
