import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure, Server, Tool, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';

/** The tools of a server, which is started if necessary. */
export function useTools({ id, trust, enabled, connectionState }: Server) {
  const [tools, setTools] = useState<readonly Tool[]>();
  const [failure, setFailure] = useState<Failure>();
  const [isLoading, setLoading] = useState(false);
  /** A new object triggers a reload; the server itself is asked only on request. */
  const [reading, setReading] = useState({ isFromServer: false });
  const mayAsk =
    trust === 'trusted' && enabled && ['connected', 'disconnected'].includes(connectionState);
  useEffect(() => {
    if (!mayAsk) return undefined;
    const leaving = new AbortController();
    const query = reading.isFromServer ? { refresh: '1' } : {};
    setLoading(true);
    api.servers[':id'].tools
      .$get({ param: { id }, query }, leaving.signal)
      .then(
        (list) => {
          setTools(list.tools);
          setFailure(undefined);
        },
        (error) => {
          if (!leaving.signal.aborted) setFailure(failureOf(error));
        },
      )
      .finally(() => {
        if (!leaving.signal.aborted) setLoading(false);
      });
    return () => {
      leaving.abort();
      setLoading(false);
    };
  }, [id, mayAsk, reading]);
  const listen = useCallback(
    (event: WorkbenchEvent) => {
      if (event.kind === 'tools-changed' && event.serverId === id) {
        setReading({ isFromServer: false });
      }
    },
    [id],
  );
  useEvents(listen);
  return {
    tools,
    failure: mayAsk ? failure : undefined,
    isLoading,
    refresh: () => setReading({ isFromServer: true }),
  };
}
