import { Button, Icon } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { Server } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ServerActions } from './server-actions.tsx';
import { ServerFacts } from './server-facts.tsx';
import { ServerStatus } from './server-status.tsx';
import { TestSteps } from './test-steps.tsx';
import './server-list.css';

/** The list of servers with their state. */
export function ServerList() {
  const servers = useWorkbench().servers.value;
  return (
    <section class="page servers">
      <header class="page-head">
        <h1>Servers</h1>
        {servers.length > 0 && <AddLink />}
      </header>
      {servers.length === 0 ? (
        <EmptyState icon="servers" title="No servers yet">
          <p>
            A server is a program that gives your notes tools: search, weather, mail, a database.
            Blocks in your notes call them, and the answers appear below.
          </p>
          <p>
            Begin with one you know: a command such as <code>npx -y some-server</code>, a container
            image, an address, or what another program has in its configuration.
          </p>
          <AddLink />
        </EmptyState>
      ) : (
        <ul class="server-list">
          {servers.map((server) => (
            <ServerRow key={server.id} server={server} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AddLink() {
  return (
    <a class="button primary" href={hrefTo('servers', '', { add: 1 })}>
      <Icon name="add" />
      Add a server
    </a>
  );
}

/** One server in the list. */
function ServerRow({ server }: { readonly server: Server }) {
  const { id, name, summary, test } = server;
  const [isTestShown, setTestShown] = useState(false);
  return (
    <li class="server-row">
      <div class="server-name">
        <h2>
          <a href={hrefTo('servers', id)}>{name}</a>
        </h2>
        <p class="server-summary small soft" title={summary}>
          {summary}
        </p>
      </div>
      <ServerStatus server={server} />
      <ServerFacts server={server} />
      <ServerActions server={server} onTest={() => setTestShown(true)} />
      {isTestShown && test && (
        <div class="server-test">
          <TestSteps test={test} />
          <Button look="quiet" isSmall isIconOnly icon="close" onClick={() => setTestShown(false)}>
            Close the test
          </Button>
        </div>
      )}
    </li>
  );
}
