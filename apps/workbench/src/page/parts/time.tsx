import { duration } from '@errand/document/display';
import { useEffect, useState } from 'preact/hooks';
import type { Time } from '../../contract.ts';

/** The time, again and again. */
function useNow(everyMs: number): Time {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long something runs already. */
export function Elapsed({ since }: { readonly since: Time }) {
  return <span class="elapsed">{duration(Math.max(0, useNow(100) - since))}</span>;
}

/** Seconds until something happens. */
export function Countdown({ until }: { readonly until: Time }) {
  const seconds = Math.max(0, Math.ceil((until - useNow(200)) / 1_000));
  return <span>{seconds === 0 ? 'now' : `in ${seconds} s`}</span>;
}

/** A moment as people say it, with the exact one on demand. */
export function Ago({ at }: { readonly at: Time }) {
  const now = useNow(10_000);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {ago(now - at)}
    </time>
  );
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
