import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { AssistantPage } from '../assistant/assistant-page.tsx';
import { CallsPage } from '../calls/calls-page.tsx';
import { Resume } from '../calls/stop-all.tsx';
import type { Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { NotesPage } from '../notes/notes-page.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { focusHeading } from '../parts/focus-heading.ts';
import { lazily } from '../parts/lazily.tsx';
import '../parts/page.css';
import { ToastList } from '../parts/toast-list.tsx';
import { QuestionDialog } from '../servers/question-dialog.tsx';
import { ServersPage } from '../servers/servers-page.tsx';
import { TrustDialog } from '../servers/trust-dialog.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import './app.css';
import { Navigation } from './navigation.tsx';
import { titleOf } from './title-of.ts';

const MailPage = lazily(async () => (await import('../mail/mail-page.tsx')).MailPage);
const HooksPage = lazily(async () => (await import('../hooks/hooks-page.tsx')).HooksPage);

/** The root component: navigation, current page, dialogs and toasts. */
export function App({ route }: { readonly route: ReadonlySignal<Route> }) {
  const { connection, state } = useWorkbench();
  const { page } = route.value;
  const title = titleOf(route.value, state.value);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useArrival(page);
  if (connection.value === 'refused' && state.value === undefined) return <Refused />;
  return (
    <div class="app">
      <button type="button" class="skip-link" onClick={focusHeading}>
        Skip to the content
      </button>
      <Navigation page={page} />
      <Banners />
      <main id="main" class="main" tabIndex={-1}>
        {state.value === undefined ? (
          <p class="loading soft" role="status">
            Opening your vault …
          </p>
        ) : (
          <CurrentPage route={route.value} />
        )}
      </main>
      <TrustDialog />
      <QuestionDialog />
      <ToastList />
    </div>
  );
}

/** Scrolls to the top and focuses the heading after navigating to another page. */
function useArrival(page: string): void {
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    document.querySelector('#main')?.scrollTo(0, 0);
    focusHeading();
  }, [page]);
}

function CurrentPage({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'notes':
      return <NotesPage route={route} />;
    case 'servers':
      return <ServersPage route={route} />;
    case 'calls':
      return <CallsPage route={route} />;
    case 'hooks':
      return <HooksPage route={route} />;
    case 'mail':
      return <MailPage route={route} />;
    case 'assistant':
      return <AssistantPage route={route} />;
    case 'settings':
      return <SettingsPage />;
  }
}

function Refused() {
  return (
    <main>
      <EmptyState icon="warning" title="This browser has no access to the workbench">
        <p>
          Open the link that <code>errand serve</code> printed when it was started. It works once; a
          browser that has access can make another one in Settings.
        </p>
      </EmptyState>
    </main>
  );
}

/** Banners about the state of the whole workbench. */
function Banners() {
  const { connection, calls } = useWorkbench();
  return (
    <div class="banners">
      {connection.value === 'lost' && (
        <p class="banner" role="status">
          <span>
            <strong>Errand is not responding.</strong> Your text is kept here, and this page
            reconnects by itself. If Errand was stopped, start <code>errand serve</code> again and
            open its new link in this browser.
          </span>
        </p>
      )}
      {connection.value === 'refused' && (
        <p class="banner" role="status">
          <span>
            <strong>Errand was restarted.</strong> Open the new link that <code>errand serve</code>{' '}
            printed in another tab of this browser; your text is kept here, and this page reconnects
            by itself.
          </span>
        </p>
      )}
      {calls.value.isStopped && (
        <div class="banner is-stopped" role="status">
          <span>
            <strong>All calls are stopped.</strong> New ones are refused until you resume.
          </span>
          <Resume />
        </div>
      )}
    </div>
  );
}
