import { Buffer } from 'buffer/index.js';
import * as path from 'path-browserify';
import {
  type Answer,
  type Call,
  decode,
  encode,
  type Holder,
  type Message,
  type Reply,
  type Request,
  type Wire,
} from '../bridge/wire.ts';
import { fillPageBuffers } from './fill-page-buffers.ts';
import type { NodeLine } from './node-line.ts';
import { nodeTimers } from './node-timers.ts';

/** The Node of another process, used as if it were ours: every step waits for its answer. */
export interface BorrowedNode {
  /** A module by name; all that it has, at once. */
  require(name: string): object;
  readonly process: typeof process;
  /** What is open there, by kind. */
  census(): Readonly<Record<string, number>>;
  /** What it has cost so far that Node is another process. */
  detour(): Detour;
}

/** In milliseconds. A renderer of Electron, which has its Node in it, spends only `nodeMs`. */
export interface Detour {
  /** Questions to Node. */
  readonly calls: number;
  /** Time in which this page was blocked by a query to Node. */
  readonly askingMs: number;
  /** Time in which this page waited for a message of Node. */
  readonly waitingMs: number;
  /** Time that Node itself worked for its answers. */
  readonly nodeMs: number;
}

export function borrowNode(line: NodeLine): BorrowedNode {
  const holder = new PageHolder(line);
  line.onMessage((message) => holder.hear(JSON.parse(message) as Message));
  const { id, known } = holder.ask({ op: 'process' }) as { id: number; known: Known };
  const node = holder.borrow(id, 'object', known) as typeof process;
  const modules = new Map<string, object>([
    ['process', node],
    ['buffer', { Buffer, isUtf8 }],
  ]);
  return {
    process: node,
    census: () => holder.ask({ op: 'census' }) as Readonly<Record<string, number>>,
    detour: () => {
      const nodeMs = holder.ask({ op: 'worked' }) as number;
      return { ...holder.detour, nodeMs };
    },
    require(name) {
      const plain = name.replace(/^node:/, '');
      const loadedBefore = modules.get(plain);
      if (loadedBefore !== undefined) return loadedBefore;
      const loaded = holder.ask({ op: 'require', name }) as Record<string, unknown>;
      fillPageBuffers(plain, loaded);
      // These are the same in a page, and nearer.
      if (plain === 'url') Object.assign(loaded, { URL, URLSearchParams });
      if (plain === 'path') Object.assign(loaded, path);
      if (plain === 'timers') Object.assign(loaded, nodeTimers);
      modules.set(plain, loaded);
      return loaded;
    },
  };
}

/** What need not be asked each time, because it does not change. */
type Known = Readonly<Record<string, unknown>>;

class PageHolder implements Holder {
  readonly #stands = new Map<number, object>();
  readonly #standIds = new WeakMap<object, number>();
  readonly #promises = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #lent: object[] = [];
  readonly #ids = new Map<object, number>();
  /** A message to ourselves is read when the script that runs now, and all that follows from it, has run. */
  readonly #turns = new MessageChannel();
  #isTurn = false;
  #idleSince = performance.now();
  #handled = 0;
  readonly detour = { calls: 0, askingMs: 0, waitingMs: 0 };
  readonly #line: NodeLine;

  constructor(line: NodeLine) {
    this.#line = line;
    this.#turns.port2.onmessage = () => {
      this.#isTurn = false;
      this.#line.send(JSON.stringify({ op: 'end-turn', handled: this.#handled } satisfies Request));
      this.#idleSince = performance.now();
    };
  }

  ask(request: Request): unknown {
    this.#beginTurn();
    return this.#askNow(request);
  }

  #beginTurn(): void {
    if (this.#isTurn) return;
    this.#isTurn = true;
    this.detour.waitingMs += performance.now() - this.#idleSince;
    this.#turns.port1.postMessage(null);
  }

  #askNow(request: Request): unknown {
    let reply = this.#send(request);
    while ('kind' in reply) {
      reply = this.#send({ op: 'return', answer: this.#called(reply), isAsking: true });
    }
    const { ok, value } = reply;
    const decoded = this.#asking(() => decode(value, this));
    if (!ok) throw decoded;
    return decoded;
  }

  #send(request: Request): Reply {
    this.detour.calls += 1;
    return this.#asking(() => JSON.parse(this.#line.ask(JSON.stringify(request))) as Reply);
  }

  #asking<Result>(work: () => Result): Result {
    const start = performance.now();
    const result = work();
    this.detour.askingMs += performance.now() - start;
    return result;
  }

  #called({ id, args }: Call): Answer {
    const called = this.#lent[id] as (...args: unknown[]) => unknown;
    try {
      const result = called(...(decode(args, this) as unknown[]));
      return { ok: true, value: encode(this.#isLendable(result) ? result : undefined, this) };
    } catch (error) {
      return { ok: false, value: encode(error, this) };
    }
  }

  hear(message: Message): void {
    this.#handled += 1;
    this.#beginTurn();
    if (message.kind === 'called') {
      const answer = this.#called(message);
      // Nobody above it would catch it: in Electron it is the page's error.
      if (!answer.ok) reportError(decode(answer.value, this));
      const result = answer.ok ? answer : nothing;
      const request: Request = { op: 'return', answer: result, isAsking: false };
      this.#line.send(JSON.stringify(request));
      return;
    }
    const settled = this.#promises.get(message.id);
    const value = decode(message.value, this);
    if (message.ok) settled?.resolve(value);
    else settled?.reject(value);
  }

  lend(thing: object): number {
    if (typeof thing !== 'function') {
      throw new Error(`HARNESS: Node cannot be handed a ${thing.constructor.name} of the page.`);
    }
    const id = this.#ids.get(thing) ?? this.#lent.push(thing) - 1;
    this.#ids.set(thing, id);
    return id;
  }

  lent(id: number): unknown {
    return this.#lent[id];
  }

  borrow(id: number, kind: 'object' | 'function' | 'promise', known: Known = {}): unknown {
    if (kind === 'promise') {
      const promise = this.#promises.get(id) ?? Promise.withResolvers();
      this.#promises.set(id, promise);
      return promise.promise;
    }
    const earlier = this.#stands.get(id);
    if (earlier !== undefined) return earlier;
    const stand = this.#stand(id, kind, known);
    this.#stands.set(id, stand);
    this.#standIds.set(stand, id);
    return stand;
  }

  borrowed(thing: object): number | undefined {
    return this.#standIds.get(thing);
  }

  lendSignal(signal: AbortSignal): number {
    const known = this.#ids.get(signal);
    if (known !== undefined) return known;
    const id = this.#lent.push(signal) - 1;
    this.#ids.set(signal, id);
    signal.addEventListener('abort', () => this.ask({ op: 'abort', id }), { once: true });
    return id;
  }

  borrowSignal(): AbortSignal {
    throw new Error('HARNESS: Node hands no signals to the page.');
  }

  isConstant(): boolean {
    return false;
  }

  bytesFrom(base64: string): Uint8Array {
    return Buffer.from(base64, 'base64');
  }

  bytesTo(bytes: Uint8Array): string {
    return Buffer.from(bytes).toString('base64');
  }

  #stand(id: number, kind: 'object' | 'function', known: Known): object {
    const wire = (value: unknown): Wire => encode(value, this);
    const fields = { ...known };
    const target = kind === 'function' ? function stand() {} : {};
    return new Proxy(target, {
      get: (_, key) => {
        if (Object.hasOwn(fields, key)) return Reflect.get(fields, key);
        // What can be waited for is handed over as a promise.
        if (key === 'then') return undefined;
        const value = this.ask({ op: 'get', id, key: wire(key) });
        // Methods stay what they are.
        if (typeof value === 'function') Reflect.set(fields, key, value);
        return value;
      },
      set: (_, key, value) => {
        Reflect.deleteProperty(fields, key);
        return this.ask({ op: 'set', id, key: wire(key), value: wire(value) }) === true;
      },
      apply: (_, self, args) =>
        this.ask({ op: 'apply', id, self: wire(this.#owned(self)), args: wire(args) }),
      construct: (_, args) => this.ask({ op: 'construct', id, args: wire(args) }) as object,
    });
  }

  /** What else a function of the page gives back, such as a promise, stays here. */
  #isLendable(value: unknown): boolean {
    const isOwn = typeof value === 'object' && value !== null;
    return !isOwn || this.#standIds.has(value) || value instanceof Uint8Array;
  }

  /** A function called as part of a module stands alone on the other side. */
  #owned(self: unknown): unknown {
    const isStand = typeof self === 'object' && self !== null && this.#standIds.has(self);
    return isStand || typeof self === 'function' ? self : undefined;
  }
}

const nothing: Answer = { ok: true, value: { t: 'undefined' } };

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
