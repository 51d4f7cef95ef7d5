/** What a plugin may leave behind in a page. */
export interface Leftovers {
  readonly timers: number;
  readonly frames: number;
  /** Listeners of the window, the document and its body. */
  readonly listeners: readonly string[];
}

/** Counts what is begun in this page from now on and was not ended. */
export class Census {
  readonly #timers = new Set<number>();
  readonly #frames = new Set<number>();
  readonly #listeners = new Set<Listening>();

  constructor() {
    this.#countTimers();
    this.#countFrames();
    for (const target of [window, document, document.body]) this.#countListeners(target);
  }

  get leftovers(): Leftovers {
    return {
      timers: this.#timers.size,
      frames: this.#frames.size,
      listeners: [...this.#listeners].map(({ name }) => name),
    };
  }

  #countTimers(): void {
    for (const kind of ['Timeout', 'Interval'] as const) {
      const set: SetTimer = window[`set${kind}`].bind(window);
      const clear: ClearTimer = window[`clear${kind}`].bind(window);
      const counted: SetTimer = (work, milliseconds, ...args) => {
        const run = () => {
          if (kind === 'Timeout') this.#timers.delete(id);
          work(...args);
        };
        const id = set(run, milliseconds);
        this.#timers.add(id);
        return id;
      };
      const cleared: ClearTimer = (id) => {
        if (id !== undefined) this.#timers.delete(id);
        clear(id);
      };
      Object.assign(window, { [`set${kind}`]: counted, [`clear${kind}`]: cleared });
    }
  }

  #countFrames(): void {
    const request = window.requestAnimationFrame.bind(window);
    const cancel = window.cancelAnimationFrame.bind(window);
    window.requestAnimationFrame = (draw) => {
      const id = request((time) => {
        this.#frames.delete(id);
        draw(time);
      });
      this.#frames.add(id);
      return id;
    };
    window.cancelAnimationFrame = (id) => {
      this.#frames.delete(id);
      cancel(id);
    };
  }

  #countListeners(target: EventTarget): void {
    const add = target.addEventListener.bind(target);
    const remove = target.removeEventListener.bind(target);
    const forget = (wanted: Listening) => {
      for (const each of this.#listeners) if (isSame(each, wanted)) this.#listeners.delete(each);
    };
    target.addEventListener = (name: string, listener: Listener, options?: Options) => {
      add(name, listener, options);
      const listening = { target, name, listener, isCapturing: isCapturing(options) };
      forget(listening);
      if (listener === null) return;
      this.#listeners.add(listening);
      const { once, signal } = typeof options === 'object' ? options : {};
      if (once) add(name, () => forget(listening), { once });
      signal?.addEventListener('abort', () => forget(listening), { once: true });
    };
    target.removeEventListener = (name: string, listener: Listener, options?: Options) => {
      remove(name, listener, options);
      forget({ target, name, listener, isCapturing: isCapturing(options) });
    };
  }
}

type SetTimer = (
  work: (...args: unknown[]) => void,
  milliseconds?: number,
  ...args: unknown[]
) => number;
type ClearTimer = (id: number | undefined) => void;
type Listener = EventListenerOrEventListenerObject | null;
type Options = boolean | AddEventListenerOptions;

interface Listening {
  readonly target: EventTarget;
  readonly name: string;
  readonly listener: Listener;
  readonly isCapturing: boolean;
}

function isCapturing(options: Options = false): boolean {
  return typeof options === 'boolean' ? options : options.capture === true;
}

function isSame(a: Listening, b: Listening): boolean {
  return (
    a.target === b.target &&
    a.name === b.name &&
    a.listener === b.listener &&
    a.isCapturing === b.isCapturing
  );
}
