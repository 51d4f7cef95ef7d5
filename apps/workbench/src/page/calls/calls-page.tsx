import { useEffect, useRef } from 'preact/hooks';
import type { Route } from '../model/route.ts';
import { focusHeading } from '../parts/focus-heading.ts';
import { ActiveCalls } from './active-calls.tsx';
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
