import type { ErrorInfo } from '@errand/host';
import { urgentFailure } from '@errand/workspace/advice';
import { vscodeAdvice } from '../../text/advice.ts';
import type { OpenExtension } from '../open-extension.ts';

/** Tells a person at once what keeps calls of their notes from being made, and that all were stopped. */
export function addCallNotices({ vaults, notices }: OpenExtension): void {
  const tell = (error: ErrorInfo) => {
    const notice = urgentFailure(error, vscodeAdvice);
    if (notice !== undefined) notices.notify(notice);
  };
  vaults.follow(({ vault, activity, runs }) => [
    activity.subscribe((event) => {
      if (event.kind !== 'session-near') return;
      const detail =
        'Choose “Errand: Reset Session Limits”, or raise "mcpSessionLimit" in the settings, to make more.';
      notices.notify({ level: 'warning', message: event.message, detail });
    }),
    vault.host.events.subscribe((event) => {
      if (event.kind === 'calls-stopped') tell(event.reason);
      if (event.kind === 'calls-resumed') {
        notices.notify({ level: 'info', message: 'Executions resumed.' });
      }
      if (event.kind !== 'call-finished' || event.outcome.status === 'success') return;
      const { request, outcome } = event;
      // A run of several blocks says in the end how each of them fared; other programs tell their own people.
      const run = runs.runOfCall(request.id);
      if (request.source === 'user-codeblock' && run?.isOneOfMany === false) tell(outcome.error);
    }),
  ]);
}
