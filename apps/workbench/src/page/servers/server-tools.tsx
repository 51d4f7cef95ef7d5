import { Button } from '@errand/parts/controls';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure, Server, Tool, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useEvents } from '../model/use-workbench.ts';
import { ToolCard } from './tool-card.tsx';
import './server-tools.css';

/** The tools of a server, each with a test form. */
export function ServerTools({ server }: { readonly server: Server }) {
  const { tools, failure, isLoading, refresh } = useTools(server);
  const [filter, setFilter] = useState('');
  const shown = tools?.filter((tool) => isNamed(tool, filter)) ?? [];
  return (
    <section class="tools" aria-busy={isLoading}>
      <header>
        <h2>Tools</h2>
        {tools !== undefined && (
          <Button look="quiet" isSmall icon="redo" isBusy={isLoading} onClick={refresh}>
            Reload
          </Button>
        )}
        {tools !== undefined && tools.length > 8 && (
          <input
            class="control tools-filter"
            type="search"
            aria-label="Filter the tools"
            placeholder="Filter"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        )}
      </header>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
      {tools === undefined && !failure && (
        <p class="soft" role="status">
          {isLoading ? 'Loading tools …' : whyNone(server)}
        </p>
      )}
      {tools?.length === 0 && <p class="soft">It has no tools.</p>}
      {tools !== undefined && tools.length > 0 && shown.length === 0 && (
        <p class="soft">No tool matches.</p>
      )}
      <ul class="tool-list">
        {shown.map((tool) => (
          <ToolCard key={tool.name} server={server} tool={tool} />
        ))}
      </ul>
    </section>
  );
}

function isNamed({ name, title, description }: Tool, filter: string): boolean {
  const words = `${name} ${title ?? ''} ${description}`.toLowerCase();
  return words.includes(filter.trim().toLowerCase());
}

function whyNone({ trust, enabled }: Server): string {
  if (trust !== 'trusted') return 'Shown once you allow the server to start.';
  if (!enabled) return 'Shown once the server is enabled.';
  return 'Shown once the server is connected.';
}

/** The tools of a server, which is started if necessary. */
function useTools({ id, trust, enabled, connectionState }: Server) {
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
