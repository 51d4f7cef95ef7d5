import { useEffect, useRef } from 'preact/hooks';
import { goTo, hrefTo, type Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { focusHeading } from '../parts/focus-heading.ts';
import { AddServer } from './add-server.tsx';
import { ServerList } from './server-list.tsx';
import { ServerPage } from './server-page.tsx';

/** The servers of the vault; `#/servers?add=1` adds one, `#/servers/ID` opens one. */
export function ServersPage({ route }: { readonly route: Route }) {
  const server = useWorkbench().servers.value.find(({ id }) => id === route.item);
  const shown = useRef(route.item);
  useEffect(() => {
    if (shown.current !== route.item) focusHeading();
    shown.current = route.item;
  }, [route.item]);
  if (server !== undefined) return <ServerPage key={server.id} server={server} />;
  if (route.item !== '') return <Gone />;
  return (
    <>
      <ServerList />
      {route.options.add !== undefined && <AddServer onClose={close} />}
    </>
  );
}

function close(): void {
  // The link "See its tools" has already navigated away.
  if (location.hash.startsWith('#/servers?')) goTo('servers');
}

function Gone() {
  return (
    <EmptyState icon="servers" title="This server no longer exists">
      <p>
        It was removed from the settings. <a href={hrefTo('servers')}>See all servers</a>
      </p>
    </EmptyState>
  );
}
