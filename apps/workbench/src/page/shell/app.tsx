import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { AssistantPlace } from '../assistant/assistant-place.tsx';
import { CallsPlace } from '../calls/calls-place.tsx';
import type { Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { NotesPlace } from '../notes/notes-place.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { focusHeading } from '../parts/focus-heading.ts';
import '../parts/page.css';
import { ToastList } from '../parts/toast-list.tsx';
import { QuestionDialog } from '../servers/question-dialog.tsx';
import { ServersPlace } from '../servers/servers-place.tsx';
import { TrustDialog } from '../servers/trust-dialog.tsx';
import { SettingsPlace } from '../settings/settings-place.tsx';
import './app.css';
import { Banners } from './banners.tsx';
import { Navigation } from './navigation.tsx';
import { titleOf } from './title-of.ts';

/** The whole page: where to go, where one is, and what is told in passing. */
export function App({ route }: { readonly route: ReadonlySignal<Route> }) {
  const { connection, state } = useWorkbench();
  const { place } = route.value;
  const title = titleOf(route.value, state.value);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useArrival(place);
  if (connection.value === 'refused' && state.value === undefined) return <Refused />;
  return (
    <div class="app">
      <button type="button" class="skip-link" onClick={focusHeading}>
        Skip to the content
      </button>
      <Navigation place={place} />
      <Banners />
      <main id="place" class="place" tabIndex={-1}>
        {state.value === undefined ? (
          <p class="loading soft" role="status">
            Opening your vault …
          </p>
        ) : (
          <PlaceOf route={route.value} />
        )}
      </main>
      <TrustDialog />
      <QuestionDialog />
      <ToastList />
    </div>
  );
}

/** Who goes to another place begins at its top, with the focus too. */
function useArrival(place: string): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    document.querySelector('#place')?.scrollTo(0, 0);
    focusHeading();
  }, [place]);
}

function PlaceOf({ route }: { readonly route: Route }) {
  switch (route.place) {
    case 'notes':
      return <NotesPlace route={route} />;
    case 'servers':
      return <ServersPlace route={route} />;
    case 'calls':
      return <CallsPlace route={route} />;
    case 'assistant':
      return <AssistantPlace route={route} />;
    case 'settings':
      return <SettingsPlace />;
  }
}

function Refused() {
  return (
    <main>
      <EmptyState icon="warning" title="This browser may not use the workbench">
        <p>
          Open the link that <code>errand serve</code> printed when it was started. It works once; a
          browser that shows the workbench makes another one under Settings.
        </p>
      </EmptyState>
    </main>
  );
}
