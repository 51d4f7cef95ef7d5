import type { HookLog, HookRun } from '@errand/hooks';
import type { Notifier } from '@errand/host';
import { DailyLog, type DailyLogOptions, hideSecrets } from '@errand/machine/node';
import { isRecord } from '@errand/wire';

export interface HookLogOptions extends Pick<DailyLogOptions<HookRun>, 'vault' | 'bounds'> {
  readonly notifier: Notifier;
  /** Takes the values of known secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** The log of hooks: `.errand/log/hooks-YYYY-MM-DD.jsonl`, one line for each run. */
export function openHookLog({ redact, ...options }: HookLogOptions): HookLog & AsyncDisposable {
  const log = new DailyLog<HookRun>({
    ...options,
    name: 'hooks',
    line: (run) => ({ text: lineOf(run, redact), at: run.endedAt ?? run.startedAt }),
  });
  async function* runs(part = ''): AsyncGenerator<HookRun> {
    const seen = new Set<string>();
    for await (const line of log.linesBackwards()) {
      // Parsing every line of a large log takes seconds.
      const run = line.includes(part) ? readRun(line) : undefined;
      if (run === undefined || seen.has(run.id)) continue;
      seen.add(run.id);
      yield run;
    }
  }
  return {
    append: (run) => log.append(run),
    async read({ hookId, limit }) {
      const found: HookRun[] = [];
      for await (const run of runs(hookId)) {
        if (hookId !== undefined && run.hookId !== hookId) continue;
        if (found.push(run) >= limit) break;
      }
      return found;
    },
    async find(runId) {
      for await (const run of runs(runId)) if (run.id.startsWith(runId)) return run;
      return undefined;
    },
    keepOutput: (name, text) => log.keepResult(name, redact(text)),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

function lineOf(run: HookRun, redact: (text: string) => string): string {
  try {
    return `${JSON.stringify(hideSecrets(run, redact))}\n`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Nested deeper than can be written; it must not keep the runs beside it out of the log.
    const { fields: _, ...rest } = run;
    const actions = run.actions.map(({ type, status, durationMs }) => ({
      type,
      status,
      durationMs,
    }));
    const short = { ...rest, actions, event: { ...run.event, fields: {} } };
    return `${JSON.stringify(hideSecrets(short, redact))}\n`;
  }
}

/** The run of a line, or nothing when the line is torn or not ours: a log may come with a stranger's vault. */
function readRun(line: string): HookRun | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value.event) || !isRecord(value.chain)) return undefined;
  const texts = [value.id, value.hookId, value.hookName, value.status, value.event.id];
  const isRun =
    texts.every((text) => typeof text === 'string') &&
    Number.isFinite(value.startedAt) &&
    isRecord(value.event.fields) &&
    Array.isArray(value.actions) &&
    value.actions.every((action) => isRecord(action) && typeof action.status === 'string');
  return isRun ? (value as unknown as HookRun) : undefined;
}
