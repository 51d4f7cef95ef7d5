type Timers = Pick<typeof window, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'>;

/** A timer as Node hands it out. */
class NodeTimer {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Those of the window, which a test can move, until it is hidden. */
let timers: Timers = window;

const idOf = (timer: NodeTimer | undefined) => timer?.id;

/** Timers of Node: in a renderer they run on the same thread as those of the window, and are never late. */
export const nodeTimers = {
  setTimeout: (...args: Parameters<Timers['setTimeout']>) =>
    new NodeTimer(timers.setTimeout(...args)),
  setInterval: (...args: Parameters<Timers['setInterval']>) =>
    new NodeTimer(timers.setInterval(...args)),
  clearTimeout: (timer: NodeTimer | undefined) => timers.clearTimeout(idOf(timer)),
  clearInterval: (timer: NodeTimer | undefined) => timers.clearInterval(idOf(timer)),
};

/** What becomes of a window that is minimised for long: it has no frames, and its timers fire about once a minute. */
export function hideWindow(): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = window;
  timers = {
    setTimeout: setTimeout.bind(window) as Timers['setTimeout'],
    clearTimeout: clearTimeout.bind(window),
    setInterval: setInterval.bind(window) as Timers['setInterval'],
    clearInterval: clearInterval.bind(window),
  };
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
