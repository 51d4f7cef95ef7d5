import { duration } from '@errand/document/display';
import { ago, countdown } from '@errand/workspace/text';
import { useEffect, useState } from 'preact/hooks';
import type { Time } from '../../contract.ts';

/** The current time, updated every second. */
function useNow(everyMs: number): Time {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The time since a moment. */
export function Elapsed({ since }: { readonly since: Time }) {
  return <span class="elapsed">{duration(Math.max(0, useNow(100) - since))}</span>;
}

/** Seconds until something happens. */
export function Countdown({ until }: { readonly until: Time }) {
  return <span>{countdown(until - useNow(200))}</span>;
}

/** Relative time, with the exact time as tooltip. */
export function Ago({ at }: { readonly at: Time }) {
  const now = useNow(10_000);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {ago(now - at)}
    </time>
  );
}
