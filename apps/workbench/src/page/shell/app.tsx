import type { ReadonlySignal } from '@preact/signals';
import { CallsPlace } from '../calls/calls-place.tsx';
import type { Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { NotesPlace } from '../notes/notes-place.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ToastList } from '../parts/toast-list.tsx';
import { QuestionDialog } from '../servers/question-dialog.tsx';
import { ServersPlace } from '../servers/servers-place.tsx';
import { TrustDialog } from '../servers/trust-dialog.tsx';
import { SettingsPlace } from '../settings/settings-place.tsx';
import './app.css';
import { Navigation } from './navigation.tsx';

/** The whole page: where to go, where one is, and what is told in passing. */
export function App({ route }: { readonly route: ReadonlySignal<Route> }) {
  const { connection, state } = useWorkbench();
  if (connection.value === 'refused') return <Refused />;
  return (
    <div class="app">
      <Navigation place={route.value.place} />
      {connection.value === 'lost' && (
        <p class="lost" role="status">
          Errand does not answer. Your text is kept here; this page goes on by itself when
          <code> errand serve </code> runs again.
        </p>
      )}
      <main id="place" class="place" tabIndex={-1}>
        {state.value === undefined ? (
          <p class="loading soft" role="status">
            Loading …
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

function PlaceOf({ route }: { readonly route: Route }) {
  switch (route.place) {
    case 'notes':
      return <NotesPlace route={route} />;
    case 'servers':
      return <ServersPlace route={route} />;
    case 'calls':
      return <CallsPlace route={route} />;
    case 'settings':
      return <SettingsPlace />;
  }
}

function Refused() {
  return (
    <main>
      <EmptyState icon="warning" title="This browser may not use the workbench">
        <p>
          Open the link that <code>errand serve</code> printed: it holds the key. Nobody else can
          read your notes without it.
        </p>
      </EmptyState>
    </main>
  );
}
