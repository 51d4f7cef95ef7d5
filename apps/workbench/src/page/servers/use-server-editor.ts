import { emptyDraft, proposeName, type ServerDraft } from '@errand/workspace/servers';
import { useState } from 'preact/hooks';
import type { Failure, Server } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';

/** The server that is changed; without one, a server is added. */
export interface EditedServer {
  readonly id: string;
  /** Whether to enable it once it works. */
  readonly enables: boolean;
}

/** State of the form that adds or edits a server. */
export function useServerEditor(onStored: (server: Server) => void) {
  const model = useWorkbench();
  const [draft, setDraft] = useState(emptyDraft);
  const [isNamed, setNamed] = useState(false);
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({});
  const [refusals, setRefusals] = useState(0);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);

  const change = (part: Partial<ServerDraft>) => {
    const changed = { ...draft, ...part };
    const keepsName = isNamed || part.name !== undefined;
    if (part.name !== undefined) setNamed(part.name !== '');
    const taken = model.servers.value.map(({ name }) => name);
    setDraft(keepsName ? changed : { ...changed, name: proposeName(changed, taken) });
    const left = Object.entries(mistakes).filter(([name]) => !(name in part));
    setMistakes(Object.fromEntries(left));
  };

  const store = async (edited: EditedServer | undefined) => {
    setFailure(undefined);
    setBusy(true);
    try {
      const server = await send(edited, draft);
      model.apply({ kind: 'server-changed', server });
      setMistakes({});
      onStored(server);
    } catch (error) {
      const found = failureOf(error);
      setMistakes(found.fields ?? {});
      if (found.fields === undefined) setFailure(found);
      else setRefusals((count) => count + 1);
    } finally {
      setBusy(false);
    }
  };

  return {
    draft,
    mistakes,
    refusals,
    failure,
    isBusy,
    change,
    store: (edited?: EditedServer) => void store(edited),
    fill: (stored: ServerDraft) => {
      setDraft(stored);
      setNamed(true);
    },
  };
}

function send(edited: EditedServer | undefined, draft: ServerDraft): Promise<Server> {
  if (edited === undefined) return api.servers.$post({ json: { draft } });
  const { id, enables } = edited;
  return api.servers[':id'].$put({ param: { id }, json: { draft, enables } });
}
