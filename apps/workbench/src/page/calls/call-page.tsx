import { Icon } from '@errand/parts/controls';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ActiveCall, CallDetails, Failure, WorkbenchEvent } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useEvents, useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Elapsed } from '../parts/time.tsx';
import { ActiveBadge, OutcomeBadge } from './call-badges.tsx';
import { CancelCall } from './cancel-call.tsx';
import './call-page.css';
import { sourceLabels } from './call-labels.ts';
import { CallReport } from './call-report.tsx';
import { NoteLink } from './note-link.tsx';

/** One call in full: while it runs, and after it has ended. */
export function CallPage({ id }: { readonly id: string }) {
  const { calls } = useWorkbench();
  const active = calls.value.active.find((call) => call.id === id);
  const { details, failure } = useDetails(id, active !== undefined);
  const call = active ?? details?.call;
  return (
    <div class="page">
      <a class="back-link" href={hrefTo('calls')}>
        <Icon name="back" /> All calls
      </a>
      <header class="page-head">
        {/* One heading for all states: it has the focus, and must not lose it. */}
        <h1>
          {call?.tool ?? 'Call'} <span class="soft">{call?.server}</span>
        </h1>
        {active && <ActiveBadge call={active} />}
        {!active && details && <OutcomeBadge status={details.call.status} />}
        {active?.isOwn && <CancelCall id={id} what={`${active.server} ${active.tool}`} />}
      </header>
      {active ? (
        <Running call={active} />
      ) : details ? (
        <CallReport details={details} />
      ) : failure ? (
        <EmptyState icon="question" title="This call cannot be shown">
          <p>{failure.message}</p>
          <p class="small">
            <a href={hrefTo('settings')}>Settings</a> say how long the log keeps calls.
          </p>
        </EmptyState>
      ) : (
        <p class="soft" role="status">
          Loading …
        </p>
      )}
    </div>
  );
}

function useDetails(id: string, isActive: boolean) {
  const [details, setDetails] = useState<CallDetails>();
  const [failure, setFailure] = useState<Failure>();
  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        setDetails(await api.calls[':id'].$get({ param: { id } }, signal));
        setFailure(undefined);
      } catch (error) {
        if (!signal?.aborted) setFailure(failureOf(error));
      }
    },
    [id],
  );
  useEffect(() => {
    const leaving = new AbortController();
    setDetails(undefined);
    setFailure(undefined);
    if (!isActive) void load(leaving.signal);
    return () => leaving.abort();
  }, [load, isActive]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        if (event.kind === 'reload') void load();
      },
      [load],
    ),
  );
  return { details, failure };
}

function Running({ call }: { readonly call: ActiveCall }) {
  const { note, source, status, isOwn, startedAt, submittedAt } = call;
  return (
    <>
      <dl class="facts">
        <dt>{status === 'executing' ? 'Running for' : 'Waiting for'}</dt>
        <dd>
          <Elapsed since={startedAt ?? submittedAt} />
        </dd>
        <dt>Note</dt>
        <dd>
          <NoteLink note={note} call={call} />
        </dd>
        <dt>Called by</dt>
        <dd>{sourceLabels[source]}</dd>
      </dl>
      <p class="soft">Its parameters and answer appear here when it ends.</p>
      {!isOwn && (
        <p class="soft">Another program made this call: cancel it there, or stop all calls.</p>
      )}
    </>
  );
}
