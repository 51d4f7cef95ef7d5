import { useEffect, useRef } from 'preact/hooks';
import type { ActiveCall } from '../../contract.ts';
import type { Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { focusHeading } from '../parts/focus-heading.ts';
import { Elapsed } from '../parts/time.tsx';
import { ActiveBadge } from './call-badges.tsx';
import { CallCells } from './call-cells.tsx';
import { CancelCall } from './cancel-call.tsx';
import { StopAll } from './stop-all.tsx';
import './call-list.css';
import { CallHistory } from './call-history.tsx';
import { CallPage } from './call-page.tsx';
import './calls-page.css';
import { SessionList } from './session-list.tsx';

/** The calls page: active calls, sessions and history. */
export function CallsPage({ route }: { readonly route: Route }) {
  const { item, options } = route;
  const shown = useRef(item);
  useEffect(() => {
    if (shown.current === item) return;
    shown.current = item;
    focusHeading();
  }, [item]);
  if (item !== '') return <CallPage key={item} id={item} />;
  return (
    <div class="page">
      <h1>Calls</h1>
      <div class="calls-columns">
        <ActiveCalls />
        <SessionList />
        <CallHistory options={options} />
      </div>
    </div>
  );
}

/** The running and queued calls. */
function ActiveCalls() {
  const { calls } = useWorkbench();
  const { active } = calls.value;
  return (
    <section class="panel" aria-labelledby="active-title">
      <header class="panel-head">
        <h2 id="active-title">Now</h2>
        {active.length > 0 && <StopAll />}
      </header>
      {active.length === 0 ? (
        <p class="soft">Nothing is running.</p>
      ) : (
        <ol class="call-list is-active">
          {active.map((call) => (
            <ActiveRow key={call.id} call={call} />
          ))}
        </ol>
      )}
    </section>
  );
}

function ActiveRow({ call }: { readonly call: ActiveCall }) {
  const { id, server, tool, isOwn } = call;
  return (
    <li>
      <span class="call-status">
        <ActiveBadge call={call} />
      </span>
      <CallCells call={call} />
      <span class="call-time">
        <Elapsed since={call.startedAt ?? call.submittedAt} />
      </span>
      <span class="call-action">{isOwn && <CancelCall id={id} what={`${server} ${tool}`} />}</span>
    </li>
  );
}
