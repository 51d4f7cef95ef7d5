import { useState } from 'preact/hooks';
import type { Server } from '../../contract.ts';
import { ask, type Method } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';

/** What can be done with a server from its row or its page. Failures are told as notices. */
export function useServerActions({ id }: Server) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const path = `/servers/${encodeURIComponent(id)}`;
  const send = async (method: Method, route: string, body?: object) => {
    setBusy(true);
    const answer = await model.attempt(() => ask<Server>(method, path + route, body));
    setBusy(false);
    return answer;
  };
  const change = async (route: string, body?: object) => {
    const server = await send('POST', route, body);
    if (server !== undefined) model.apply({ kind: 'server-changed', server });
    return server !== undefined;
  };
  return {
    isBusy,
    tryNow: () => change('/try'),
    test: () => change('/test'),
    setEnabled: (enabled: boolean) => change('/enabled', { enabled }),
    remove: async () => (await send('DELETE', '')) !== undefined,
  };
}
