import type { RunningProgram } from './errand-process.ts';

/** What `errand serve --json` prints when it is ready. */
export async function linksOf(
  errand: RunningProgram,
): Promise<{ url: string; gatewayUrl: string }> {
  await errand.says(/"url".*\n/);
  return JSON.parse(errand.stdout);
}

/** The cookie of a browser that follows a link to the workbench. */
export async function cookieBy(link: string): Promise<string> {
  const opened = await fetch(link);
  return opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

type Json = Readonly<Record<string, unknown>>;

/** A browser that has the workbench open and follows its events. */
export class WorkbenchPage implements Disposable {
  readonly #origin: string;
  readonly #cookie: string;
  readonly #leaving = new AbortController();
  readonly #events: Json[] = [];
  #news = Promise.withResolvers<void>();

  static async open(errand: RunningProgram): Promise<WorkbenchPage> {
    const { url } = await linksOf(errand);
    const page = new WorkbenchPage(new URL(url).origin, await cookieBy(url));
    await page.#follow();
    return page;
  }

  private constructor(origin: string, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  async get(path: string): Promise<Json> {
    return (await this.#fetch(path)).json() as Promise<Json>;
  }

  async post(path: string, body: unknown = {}): Promise<Json> {
    const headers = { 'content-type': 'application/json', origin: this.#origin };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await this.#fetch(path, init)).json() as Promise<Json>;
  }

  /** Waits for the first event that has all these fields, whether it came already or comes. */
  async sees(fields: Json, signal: AbortSignal): Promise<Json> {
    for (;;) {
      const found = this.#events.find((event) => includes(event, fields));
      if (found !== undefined) return found;
      const late = Promise.withResolvers<never>();
      const fail = () => late.reject(new Error(`No event ${JSON.stringify(fields)}.`));
      signal.addEventListener('abort', fail, { once: true });
      await Promise.race([this.#news.promise, late.promise]);
      signal.removeEventListener('abort', fail);
    }
  }

  [Symbol.dispose](): void {
    this.#leaving.abort();
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { cookie: this.#cookie, ...init.headers };
    return fetch(`${this.#origin}/api${path}`, { ...init, headers, signal: this.#leaving.signal });
  }

  async #follow(): Promise<void> {
    const { body } = await this.#fetch('/events');
    const read = async () => {
      let text = '';
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const messages = (text + chunk).split('\n\n');
        text = messages.pop() ?? '';
        this.#events.push(
          ...messages.flatMap((message) => {
            const [, data] = /^data: (.*)$/m.exec(message) ?? [];
            return data === undefined ? [] : [JSON.parse(data)];
          }),
        );
        this.#news.resolve();
        this.#news = Promise.withResolvers();
      }
    };
    // The stream ends with the page or the program.
    read().catch(() => undefined);
  }
}

/** Whether a value has at least these fields, at every depth. */
function includes(value: unknown, fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return value === fields;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(fields).every(([name, field]) => includes((value as Json)[name], field));
}
