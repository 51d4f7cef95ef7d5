import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ActiveCall, CallDetails, Failure, WorkbenchEvent } from '../../contract.ts';
import { ask, failureOf } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useEvents, useWorkbench } from '../model/use-workbench.ts';
import { Badge } from '../parts/badge.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Elapsed } from '../parts/time.tsx';
import { CancelCall } from './active-calls.tsx';
import './call-page.css';
import { CallReport } from './call-report.tsx';
import { NoteLink } from './note-link.tsx';
import { sourceWords } from './words.ts';

/** One call in full: while it runs, and after it has ended. */
export function CallPage({ id }: { readonly id: string }) {
  const { calls } = useWorkbench();
  const active = calls.value.active.find((call) => call.id === id);
  const { details, failure } = useDetails(id, active !== undefined);
  return (
    <div class="page call-page">
      <a class="back-link" href={hrefTo('calls')}>
        <Icon name="back" /> All calls
      </a>
      {active ? (
        <Running call={active} />
      ) : details ? (
        <CallReport details={details} />
      ) : failure ? (
        <>
          <h1>Call</h1>
          <EmptyState icon="question" title="This call cannot be shown">
            <p>{failure.message}</p>
            <p class="small">
              The log keeps calls as long as <a href={hrefTo('settings')}>Settings</a> say.
            </p>
          </EmptyState>
        </>
      ) : (
        <>
          <h1>Call</h1>
          <p class="soft" role="status">
            Loading …
          </p>
        </>
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
        const path = `/calls/${encodeURIComponent(id)}`;
        setDetails(await ask<CallDetails>('GET', path, undefined, signal));
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
  const { id, server, tool, note, line, source, status, isOwn } = call;
  const isRunning = status === 'executing';
  return (
    <>
      <header class="page-head">
        <h1>
          {tool} <span class="soft">{server}</span>
        </h1>
        <Badge tone={isRunning ? 'accent' : 'neutral'} isLive={isRunning}>
          {isRunning ? 'Running' : 'Waiting'}
        </Badge>
        {isOwn && <CancelCall id={id} what={`${server} ${tool}`} />}
      </header>
      <dl class="facts">
        <dt>{isRunning ? 'Running for' : 'Waiting for'}</dt>
        <dd>
          <Elapsed since={call.startedAt ?? call.submittedAt} />
        </dd>
        <dt>Note</dt>
        <dd>
          <NoteLink note={note} line={line} />
        </dd>
        <dt>Asked by</dt>
        <dd>{sourceWords[source]}</dd>
      </dl>
      <p class="soft">Its parameters and answer are shown here as soon as it has ended.</p>
      {!isOwn && (
        <p class="soft">Another program made this call: cancel it there, or stop all calls.</p>
      )}
    </>
  );
}
