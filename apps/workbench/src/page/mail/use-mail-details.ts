import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Failure, MailDetails, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { inTurn } from './in-turn.ts';
import { touchesMail } from './touches-mail.ts';

/** A mail and its draft, kept up to date while they are shown. */
export interface LoadedDetails {
  readonly details: MailDetails | undefined;
  readonly failure: Failure | undefined;
  reload(): Promise<void>;
}

export function useMailDetails(id: string): LoadedDetails {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly details: MailDetails }>();
  const [failure, setFailure] = useState<Failure>();
  const wanted = useRef(id);
  wanted.current = id;
  const reload = useMemo(
    () =>
      inTurn(async () => {
        try {
          const details = await api.mail.item.$get({ query: { id } });
          if (wanted.current !== id) return;
          setLoaded({ id, details });
          setFailure(undefined);
        } catch (error) {
          if (wanted.current === id) setFailure(failureOf(error));
        }
      }),
    [id],
  );
  useEffect(() => {
    setFailure(undefined);
    void reload();
  }, [reload]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        if (touchesMail(event)) void reload();
      },
      [reload],
    ),
  );
  return { details: loaded?.id === id ? loaded.details : undefined, failure, reload };
}
