import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type {
  Failure,
  HookProblem,
  HookRunBrief,
  HookView,
  WorkbenchEvent,
} from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { applyRuns, joinRuns } from './join-runs.ts';

/** The hooks of the vault and their latest runs, kept up to date while they are shown. */
export interface Hooks {
  /** Undefined until loaded. */
  readonly hooks: readonly HookView[] | undefined;
  readonly problems: readonly HookProblem[];
  readonly runs: readonly HookRunBrief[];
  readonly failure: Failure | undefined;
  reload(): void;
}

/** Reading everything again is worth a moment of waiting: events come in bursts. */
const soonMs = 100;
const laterMs = 2_000;

interface Loaded {
  readonly hooks: readonly HookView[];
  readonly problems: readonly HookProblem[];
  readonly runs: readonly HookRunBrief[];
}

/** With a hook, only its runs; no more than `mostRuns` of them. */
export function useHooks(hook?: string, mostRuns = 30): Hooks {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failure, setFailure] = useState<Failure>();
  const timer = useRef<{ readonly id: ReturnType<typeof setTimeout>; readonly at: number }>(
    undefined,
  );
  const lastRead = useRef(0);
  const load = useCallback(async () => {
    timer.current = undefined;
    lastRead.current = Date.now();
    try {
      const query = { limit: String(mostRuns), ...(hook !== undefined && { hook }) };
      const [{ hooks, problems }, { runs }] = await Promise.all([
        api.hooks.$get(),
        api.hooks.runs.$get({ query }).catch(() => ({ runs: [] })),
      ]);
      setLoaded({ hooks, problems, runs: joinRuns([], runs, mostRuns) });
      setFailure(undefined);
    } catch (error) {
      setFailure(failureOf(error));
    }
  }, [hook, mostRuns]);
  const loadIn = useCallback(
    (waitMs: number) => {
      const at = Math.max(Date.now() + waitMs, lastRead.current + laterMs / 2);
      if (timer.current !== undefined) {
        if (timer.current.at <= at) return;
        clearTimeout(timer.current.id);
      }
      timer.current = { id: setTimeout(() => void load(), at - Date.now()), at };
    },
    [load],
  );
  useEffect(() => {
    void load();
    return () => clearTimeout(timer.current?.id);
  }, [load]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        if (event.kind === 'hook-runs-changed') {
          setLoaded((known) => known && follow(known, event.runs, { hook, mostRuns }));
          loadIn(laterMs);
        } else if (readAgain.has(event.kind)) loadIn(soonMs);
      },
      [loadIn, hook, mostRuns],
    ),
  );
  return {
    hooks: loaded?.hooks,
    problems: loaded?.problems ?? [],
    runs: loaded?.runs ?? [],
    failure,
    reload: () => void load(),
  };
}

const readAgain: ReadonlySet<WorkbenchEvent['kind']> = new Set([
  'reload',
  'hooks-changed',
  'servers-changed',
  'tools-changed',
]);

function follow(
  known: Loaded,
  changed: readonly HookRunBrief[],
  { hook, mostRuns }: { readonly hook: string | undefined; readonly mostRuns: number },
): Loaded {
  const own = changed.filter(({ hookId }) => hook === undefined || hookId === hook);
  return {
    ...known,
    hooks: applyRuns(known.hooks, known.runs, changed),
    runs: joinRuns(known.runs, own, mostRuns),
  };
}
