import type { ErrorInfo } from '@errand/host';
import { urgentNotice } from '../../text/advice.ts';
import { notices } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** Tells a person at once what keeps calls of their notes from being made, and that all were stopped. */
export function addNotices({ plugin, vault, activity, runs }: OpenPlugin): void {
  const tell = (error: ErrorInfo) => {
    const notice = urgentNotice(error);
    if (notice !== undefined) notices.notify(notice);
  };
  plugin.register(
    activity.subscribe((event) => {
      if (event.kind !== 'session-near') return;
      const { message } = event;
      const detail =
        'Run the command “Errand: Reset session limits”, or raise the limit in the settings of Errand, to make more.';
      notices.notify({ level: 'warning', message, detail });
    }),
  );
  plugin.register(
    vault.host.events.subscribe((event) => {
      if (event.kind === 'calls-stopped') tell(event.reason);
      if (event.kind === 'calls-resumed') {
        notices.notify({ level: 'info', message: 'Executions resumed.' });
      }
      if (event.kind !== 'call-finished' || event.outcome.status === 'success') return;
      const { request, outcome } = event;
      // A run of several blocks says in the end how each of them fared.
      const isReported = runs.runOfCall(request.id)?.isOneOfMany ?? false;
      if (request.source === 'user-codeblock' && !isReported) tell(outcome.error);
    }),
  );
}
