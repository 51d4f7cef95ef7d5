import { request } from 'node:http';
import type { WorkbenchEvent } from '../../contract.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An HTTP request exactly as given: `fetch` would not send a foreign Host. */
export function ask(url: string, { method = 'GET', headers = {}, body, signal }: AskOptions = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise<Answer>((resolve, reject) => {
    // A connection of its own: one that is kept would be dead after a restart.
    const options = { method, headers: { ...type, ...headers }, signal, agent: false };
    const asked = request(url, options, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        received += chunk;
      });
      response.on('end', () => {
        const { statusCode = 0, headers: given } = response;
        resolve({ status: statusCode, headers: given, text: received });
      });
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/** A browser that followed the workbench's link. */
export class TestClient {
  readonly origin: string;
  readonly cookie: string;

  constructor(origin: string, cookie: string) {
    this.origin = origin;
    this.cookie = cookie;
  }

  static async open(link: string): Promise<TestClient> {
    const { headers } = await ask(link);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    return new TestClient(new URL(link).origin, cookie.split(';')[0] ?? '');
  }

  /** The JSON of an answer that must be a good one. */
  async get<Body>(path: string): Promise<Body> {
    return this.#json(await this.ask(path));
  }

  async send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const sent = body ?? (method === 'POST' ? {} : undefined);
    return this.#json(await this.ask(path, { method, ...(sent !== undefined && { body: sent }) }));
  }

  /** A failure's status, code and fields. */
  async fails(method: string, path: string, body?: unknown) {
    const answer = await this.ask(path, { method, ...(body !== undefined && { body }) });
    const { error, current } = JSON.parse(answer.text);
    return { status: answer.status, ...error, ...(current && { current }) };
  }

  ask(path: string, { headers, ...options }: AskOptions = {}): Promise<Answer> {
    const own = { cookie: this.cookie, origin: this.origin, ...headers };
    return ask(`${this.origin}/api${path}`, { ...options, headers: own });
  }

  /** Everything that happens from now on, or from a sequence on. */
  async follow(after?: string): Promise<EventFollower> {
    const leaving = new AbortController();
    const query = after === undefined ? '' : `?after=${after}`;
    const response = await fetch(`${this.origin}/api/events${query}`, {
      headers: { cookie: this.cookie },
      signal: leaving.signal,
    });
    if (response.body === null || !response.ok) throw new Error(`${response.status}`);
    return new EventFollower(response.body, leaving);
  }

  #json<Body>({ status, text }: Answer): Body {
    if (status >= 400) throw new Error(`${status} ${text}`);
    return JSON.parse(text) as Body;
  }
}

type EventOf<Kind extends WorkbenchEvent['kind']> = Extract<WorkbenchEvent, { kind: Kind }>;

/** A page's event stream, with everything that came so far. */
export class EventFollower implements Disposable {
  readonly events: WorkbenchEvent[] = [];
  /** Of the newest event. */
  sequence = '';
  /** Resolves when the stream ends. */
  readonly ended: Promise<void>;
  readonly #leaving: AbortController;
  #news = Promise.withResolvers<void>();

  constructor(body: ReadableStream<Uint8Array>, leaving: AbortController) {
    this.#leaving = leaving;
    this.ended = this.#read(body).catch(() => {});
  }

  /** The first event of a kind that fits, whether it came already or comes. */
  async until<Kind extends WorkbenchEvent['kind']>(
    kind: Kind,
    fits: (event: EventOf<Kind>) => boolean = () => true,
  ): Promise<EventOf<Kind>> {
    for (;;) {
      const isWanted = (event: WorkbenchEvent): event is EventOf<Kind> =>
        event.kind === kind && fits(event as EventOf<Kind>);
      const found = this.events.find(isWanted);
      if (found !== undefined) return found;
      await this.#news.promise;
    }
  }

  [Symbol.dispose](): void {
    this.#leaving.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) this.#take(message);
    }
  }

  #take(message: string): void {
    const [, id] = /^id: (.*)$/m.exec(message) ?? [];
    const [, data] = /^data: (.*)$/m.exec(message) ?? [];
    if (id === undefined || data === undefined) return;
    this.sequence = id;
    this.events.push(JSON.parse(data));
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
