import { Icon } from '@errand/parts/controls';
import { useEffect, useState } from 'preact/hooks';
import type { Server, ServerDetails } from '../../contract.ts';
import { api } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { ServerActions } from './server-actions.tsx';
import { ServerFacts } from './server-facts.tsx';
import './server-page.css';
import { EffectList } from './effect-list.tsx';
import { LastOutput } from './last-output.tsx';
import { ServerStatus } from './server-status.tsx';
import { ServerTools } from './server-tools.tsx';
import { TestSteps } from './test-steps.tsx';

/** The details of a server: state, effects, last output and tools. */
export function ServerPage({ server }: { readonly server: Server }) {
  const details = useDetails(server);
  return (
    <section class="page">
      <header class="server-head">
        <p>
          <a class="back-link" href={hrefTo('servers')}>
            <Icon name="back" />
            All servers
          </a>
        </p>
        <h1>{server.name}</h1>
      </header>
      <div class="panel server-overview">
        <div class="server-overview-state">
          <ServerStatus server={server} />
          <ServerActions server={server} onTest={() => {}} />
        </div>
        <ServerFacts server={server} />
      </div>
      {server.test && (
        <section class="panel">
          <h2>Last test</h2>
          <TestSteps test={server.test} />
        </section>
      )}
      {details && <About details={details} />}
      <ServerTools server={server} />
    </section>
  );
}

function About({ details: { does, identity, lastWords } }: { readonly details: ServerDetails }) {
  return (
    <section class="panel">
      <h2>What it does on this machine</h2>
      <EffectList lines={does} />
      {identity && (
        <p class="small soft">
          {`It identifies as ${identity.name} ${identity.version}, protocol version ${identity.protocolVersion}.`}
        </p>
      )}
      {identity?.instructions && (
        <details>
          <summary>Instructions</summary>
          <p class="server-instructions">{identity.instructions}</p>
        </details>
      )}
      {lastWords.trim() !== '' && <LastOutput text={lastWords} />}
    </section>
  );
}

/** Reloads when the server changes, and keeps the previous details meanwhile. */
function useDetails(server: Server): ServerDetails | undefined {
  const [details, setDetails] = useState<ServerDetails>();
  useEffect(() => {
    const leaving = new AbortController();
    const param = { id: server.id };
    api.servers[':id'].$get({ param }, leaving.signal).then(
      setDetails,
      // The server was removed or the connection is lost; both are shown elsewhere.
      () => {},
    );
    return () => leaving.abort();
  }, [server]);
  return details;
}
