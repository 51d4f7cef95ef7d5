import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure, PastCall, WorkbenchEvent } from '../../contract.ts';
import { type AnswerOf, api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { fits, type HistoryFilter, historyQuery, joinHistory } from './history-filter.ts';

export interface History {
  /** Newest first; undefined until loaded. */
  readonly calls: readonly PastCall[] | undefined;
  readonly isCut: boolean;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  loadMore(): void;
  readAgain(): void;
}

/** Above this number of new calls, the log is read again. */
const mostEnded = 200;

/** Past calls that match the filter, updated while they are shown. */
export function useHistory(filter: HistoryFilter): History {
  const [read, setRead] = useState<AnswerOf<typeof api.calls.history.$get>>();
  const [ended, setEnded] = useState<readonly PastCall[]>([]);
  const [isLoading, setLoading] = useState(true);
  const [failure, setFailure] = useState<Failure>();
  const newest = useRef<AbortController>(undefined);
  const told = useRef(ended);
  told.current = ended;

  const load = useCallback(
    async (before?: readonly PastCall[]) => {
      newest.current?.abort();
      const asking = new AbortController();
      newest.current = asking;
      setLoading(true);
      // Calls that ended before the log is read are part of the response.
      const isInLog = new Set(before === undefined ? told.current : []);
      try {
        const query = historyQuery(filter, before?.at(-1));
        const answer = await api.calls.history.$get({ query }, asking.signal);
        setRead({ ...answer, calls: joinHistory(before ?? [], answer.calls) });
        setEnded((calls) => calls.filter((call) => !isInLog.has(call)));
        setFailure(undefined);
      } catch (error) {
        if (!asking.signal.aborted) setFailure(failureOf(error));
      }
      if (newest.current === asking) setLoading(false);
    },
    [filter],
  );
  useEffect(() => {
    setRead(undefined);
    void load();
    return () => newest.current?.abort();
  }, [load]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        if (event.kind === 'call-ended') setEnded((calls) => [event.call, ...calls]);
        if (event.kind === 'reload') void load();
      },
      [load],
    ),
  );
  const isMuch = ended.length > mostEnded;
  useEffect(() => {
    if (isMuch) void load();
  }, [isMuch, load]);
  const meanwhile = ended.filter((call) => fits(filter, call));
  return {
    calls: read && joinHistory(meanwhile, read.calls),
    isCut: read?.isCut ?? false,
    isLoading,
    failure,
    loadMore: () => void load(read?.calls),
    readAgain: () => void load(),
  };
}
