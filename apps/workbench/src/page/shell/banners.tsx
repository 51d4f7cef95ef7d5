import { Resume } from '../calls/stop-all.tsx';
import { useWorkbench } from '../model/use-workbench.ts';
import './banners.css';

/** Banners about the state of the whole workbench. */
export function Banners() {
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
