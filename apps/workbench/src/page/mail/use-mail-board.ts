import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Failure, MailBoard, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { inTurn } from './in-turn.ts';
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
  const wanted = useRef(mostDone);
  wanted.current = mostDone;
  const reload = useMemo(
    () =>
      inTurn(async () => {
        try {
          const loaded = await api.mail.$get({ query: { done: String(mostDone) } });
          // An answer that comes late must not replace that to a later question.
          if (wanted.current !== mostDone) return;
          setBoard(loaded);
          setFailure(undefined);
        } catch (error) {
          if (wanted.current === mostDone) setFailure(failureOf(error));
        }
      }),
    [mostDone],
  );
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
