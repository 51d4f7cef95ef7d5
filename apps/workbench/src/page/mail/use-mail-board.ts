import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure, MailBoard, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { touchesMail } from './touches-mail.ts';

/** The board of the mailroom, kept up to date while it is shown. */
export interface LoadedBoard {
  /** Undefined until loaded. */
  readonly board: MailBoard | undefined;
  readonly failure: Failure | undefined;
  reload(): Promise<void>;
}

/** With at most `mostDone` notes of Done. */
export function useMailBoard(mostDone: number): LoadedBoard {
  const [board, setBoard] = useState<MailBoard>();
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    try {
      const loaded = await api.mail.$get({ query: { done: String(mostDone) } });
      // An answer that comes late must not replace a newer one.
      if (turn !== latest.current) return;
      setBoard(loaded);
      setFailure(undefined);
    } catch (error) {
      if (turn === latest.current) setFailure(failureOf(error));
    }
  }, [mostDone]);
  useEffect(() => void reload(), [reload]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        if (touchesMail(event)) void reload();
      },
      [reload],
    ),
  );
  return { board, failure, reload };
}
