import { Dirent, Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { startCensus } from './census.ts';
import {
  type Answer,
  decode,
  encode,
  type Holder,
  type Message,
  type Request,
  type Wire,
} from './wire.ts';

/**
 * Lends the modules of this process to a page. What the page asks is done at once, and so is what is asked
 * of the page, so that both have each other as the two halves of an Electron renderer have.
 */
export function lendNode(page: Page): (question: Question) => Answer {
  const holder = new NodeHolder(page);
  const load = createRequire(import.meta.url);
  const census = startCensus();
  let workedMs = 0;
  const worked = <Result>(work: () => Result): Result => {
    const start = performance.now();
    try {
      return work();
    } finally {
      workedMs += performance.now() - start;
    }
  };
  /** Objects in a module may hold each other, so they stay here. */
  const moduleOf = (name: string): Wire => ({
    t: 'record',
    v: Object.entries<unknown>(worked(() => load(name))).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null && !isPlain(value)
        ? { t: 'mine', id: holder.lend(value), kind: 'object' }
        : encode(value, holder),
    ]),
  });
  const answer = (request: Exclude<Question, { readonly op: 'require' }>): unknown => {
    switch (request.op) {
      case 'process':
        return { id: holder.lend(process), known: unchanging(process) };
      case 'census':
        return census();
      case 'worked':
        return workedMs;
      case 'get':
        return Reflect.get(holder.lent(request.id), decode(request.key, holder) as PropertyKey);
      case 'set':
        return Reflect.set(
          holder.lent(request.id),
          decode(request.key, holder) as PropertyKey,
          decode(request.value, holder),
        );
      case 'apply':
        return Reflect.apply(
          holder.lent(request.id) as () => unknown,
          decode(request.self, holder),
          decode(request.args, holder) as unknown[],
        );
      case 'construct':
        return Reflect.construct(
          holder.lent(request.id) as () => unknown,
          decode(request.args, holder) as unknown[],
        );
      case 'abort':
        return holder.abort(request.id);
    }
  };
  return (request) => {
    try {
      if (request.op === 'require') return { ok: true, value: moduleOf(request.name) };
      return {
        ok: true,
        value: encode(
          worked(() => answer(request)),
          holder,
        ),
      };
    } catch (error) {
      return { ok: false, value: encode(error, holder) };
    }
  };
}

/** The page that borrows. */
export interface Page {
  send(message: Message): void;
  /** Runs a function of the page, to its end. */
  call(id: number, args: Wire): Answer;
}

function unchanging({ env, platform, pid, version, versions }: NodeJS.Process): object {
  // As Electron names a process with a window.
  const type = 'renderer';
  return { env: { ...env }, platform, pid, version, versions: { ...versions }, type };
}

/** Whether it has nothing but values, such as the flags of files. */
function isPlain(value: object): boolean {
  return Object.values(value).every((each) => typeof each === 'number');
}

type Question = Exclude<Request, { readonly op: 'return' | 'end-turn' }>;

class NodeHolder implements Holder {
  readonly #page: Page;
  readonly #lent: object[] = [];
  readonly #ids = new Map<object, number>();
  readonly #functions = new Map<number, (...args: unknown[]) => unknown>();
  readonly #functionIds = new Map<object, number>();
  readonly #controllers = new Map<number, AbortController>();

  constructor(page: Page) {
    this.#page = page;
  }

  lend(thing: object): number {
    const known = this.#ids.get(thing);
    if (known !== undefined) return known;
    const id = this.#lent.push(thing) - 1;
    this.#ids.set(thing, id);
    if (thing instanceof Promise) this.#follow(id, thing);
    return id;
  }

  lent(id: number): object {
    return this.#lent[id] ?? {};
  }

  isConstant(thing: object): boolean {
    return thing instanceof Stats || thing instanceof Dirent;
  }

  /** Only functions come from the page: the same one each time, so that a listener can be removed. */
  borrow(id: number): unknown {
    const known = this.#functions.get(id);
    if (known !== undefined) return known;
    const stand = (...args: unknown[]) => {
      const { ok, value } = this.#page.call(id, encode(args, this));
      const result = decode(value, this);
      if (!ok) throw result;
      return result;
    };
    this.#functions.set(id, stand);
    this.#functionIds.set(stand, id);
    return stand;
  }

  borrowed(thing: object): number | undefined {
    return this.#functionIds.get(thing);
  }

  lendSignal(): number {
    throw new Error('Node hands no signals to the page.');
  }

  borrowSignal(id: number, isAborted: boolean): AbortSignal {
    const controller = this.#controllers.get(id) ?? new AbortController();
    this.#controllers.set(id, controller);
    if (isAborted) controller.abort();
    return controller.signal;
  }

  abort(id: number): void {
    this.#controllers.get(id)?.abort();
  }

  bytesFrom(base64: string): Uint8Array {
    return Buffer.from(base64, 'base64');
  }

  bytesTo(bytes: Uint8Array): string {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }

  #follow(id: number, promise: Promise<unknown>): void {
    const settle = (ok: boolean) => (value: unknown) =>
      this.#page.send({ kind: 'settled', id, ok, value: encode(value, this) });
    promise.then(settle(true), settle(false));
  }
}
