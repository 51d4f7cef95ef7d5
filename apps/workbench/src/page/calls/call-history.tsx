import { duration } from '@errand/document/display';
import { Button } from '@errand/parts/controls';
import { firstLine } from '@errand/workspace/text';
import { useMemo } from 'preact/hooks';
import type { PastCall } from '../../contract.ts';
import { hrefTo, type Route } from '../model/route.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Ago } from '../parts/time.tsx';
import { OutcomeBadge } from './call-badges.tsx';
import { CallCells } from './call-cells.tsx';
import './call-list.css';
import { filterOf, optionsOf } from './history-filter.ts';
import { HistoryFilters } from './history-filters.tsx';
import { type History, useHistory } from './use-history.ts';

/** Every call that has ended, newest first. */
export function CallHistory({ options }: { readonly options: Route['options'] }) {
  const { server, note, status, source } = filterOf(options);
  const filter = useMemo(() => ({ server, note, status, source }), [server, note, status, source]);
  const history = useHistory(filter);
  const isFiltered = Object.keys(optionsOf(filter)).length > 0;
  return (
    <section class="panel" aria-labelledby="history-title" aria-busy={history.isLoading}>
      <header class="panel-head">
        <h2 id="history-title">History</h2>
        {isFiltered && <a href={hrefTo('calls')}>Show all</a>}
      </header>
      {(isFiltered || history.calls?.length !== 0) && (
        <HistoryFilters filter={filter} calls={history.calls ?? []} />
      )}
      <HistoryBody history={history} isFiltered={isFiltered} />
    </section>
  );
}

interface HistoryBodyProps {
  readonly history: History;
  readonly isFiltered: boolean;
}

function HistoryBody({ history, isFiltered }: HistoryBodyProps) {
  const { calls, isCut, isLoading, failure, loadMore, readAgain } = history;
  if (failure !== undefined) {
    return (
      <EmptyState icon="warning" title="The history cannot be read">
        <p>{failure.message}</p>
        <Button onClick={readAgain}>Try again</Button>
      </EmptyState>
    );
  }
  if (calls === undefined) {
    return (
      <p class="soft" role="status">
        Loading …
      </p>
    );
  }
  if (calls.length === 0) return <NoCalls isFiltered={isFiltered} />;
  return (
    <>
      <ol class="call-list">
        {calls.map((call) => (
          <PastRow key={call.id} call={call} />
        ))}
      </ol>
      {isCut && (
        <p class="load-more">
          <Button isBusy={isLoading} onClick={loadMore}>
            Load more
          </Button>
        </p>
      )}
    </>
  );
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon="search" title="No matching calls">
        <p>
          No call in the log matches this filter. <a href={hrefTo('calls')}>Show all calls</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="calls" title="No calls yet">
      <p>
        Run a block in a <a href={hrefTo('notes')}>note</a>, or try a tool in{' '}
        <a href={hrefTo('servers')}>Servers</a>. Every call is listed here with its outcome.
      </p>
    </EmptyState>
  );
}

function PastRow({ call }: { readonly call: PastCall }) {
  const { status, error } = call;
  return (
    <li>
      <span class="call-status">
        <OutcomeBadge status={status} />
      </span>
      <CallCells call={call} />
      <span class="call-time">{duration(call.durationMs)}</span>
      <span class="call-action soft">
        <Ago at={call.submittedAt} />
      </span>
      {error && status !== 'cancelled' && <p class="call-error">{firstLine(error.message)}</p>}
    </li>
  );
}
