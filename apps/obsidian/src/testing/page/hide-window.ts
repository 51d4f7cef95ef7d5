/** What becomes of a window that is minimised for long: it has no frames, and its timers fire about once a minute. */
export function hideWindow(): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
  window.requestAnimationFrame = () => 0;
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set = window[name].bind(window) as (work: TimerHandler, after: number) => number;
    const late = (work: TimerHandler, after = 0) => set(work, Math.max(after, 60_000));
    Object.assign(window, { [name]: late });
  }
  document.dispatchEvent(new Event('visibilitychange'));
}
