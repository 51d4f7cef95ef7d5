import { useState } from 'preact/hooks';
import type { Server } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';

/** Actions of a server; failures are shown as toasts. */
export function useServerActions({ id }: Server) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const routes = api.servers[':id'];
  const param = { id };
  const attempt = async <Answer>(send: () => Promise<Answer>) => {
    setBusy(true);
    const answer = await model.attempt(send);
    setBusy(false);
    return answer;
  };
  const change = async (send: () => Promise<Server>) => {
    const server = await attempt(send);
    if (server !== undefined) model.apply({ kind: 'server-changed', server });
    return server !== undefined;
  };
  return {
    isBusy,
    tryNow: () => change(() => routes.try.$post({ param })),
    test: () => change(() => routes.test.$post({ param })),
    setEnabled: (enabled: boolean) =>
      change(() => routes.enabled.$post({ param, json: { enabled } })),
    remove: async () => (await attempt(() => routes.$delete({ param }))) !== undefined,
  };
}
