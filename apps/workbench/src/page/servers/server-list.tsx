import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import './server-list.css';
import { ServerRow } from './server-row.tsx';

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
