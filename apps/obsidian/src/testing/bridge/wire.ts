/** A value on its way between a page and the Node that lends it its modules. */
export type Wire =
  | { readonly t: 'value'; readonly v: string | boolean | null }
  | { readonly t: 'number'; readonly v: string }
  | { readonly t: 'undefined' }
  | { readonly t: 'bigint'; readonly v: string }
  | { readonly t: 'bytes'; readonly v: string }
  | { readonly t: 'list'; readonly v: readonly Wire[] }
  | { readonly t: 'record'; readonly v: readonly (readonly [string, Wire])[] }
  | { readonly t: 'date'; readonly v: number }
  | { readonly t: 'url'; readonly v: string }
  | { readonly t: 'symbol'; readonly v: string }
  | { readonly t: 'error'; readonly v: readonly (readonly [string, Wire])[] }
  | { readonly t: 'signal'; readonly id: number; readonly isAborted: boolean }
  /** Something that stays with the sender; `known` are fields of it that never change. */
  | {
      readonly t: 'mine';
      readonly id: number;
      readonly kind: 'object' | 'function' | 'promise';
      readonly known?: readonly (readonly [string, Wire])[];
    }
  /** Something that the sender got from the receiver. */
  | { readonly t: 'yours'; readonly id: number };

/** How one side keeps what it lends and stands in for what it borrows. */
export interface Holder {
  /** The number of something that stays here. */
  lend(thing: object): number;
  /** What was lent under a number. */
  lent(id: number): unknown;
  /** A stand-in for what the other side keeps. */
  borrow(
    id: number,
    kind: 'object' | 'function' | 'promise',
    known?: Readonly<Record<string, unknown>>,
  ): unknown;
  /** Whether the fields of something that stays here never change. */
  isConstant(thing: object): boolean;
  /** The number of a stand-in; nothing when it is none. */
  borrowed(thing: object): number | undefined;
  lendSignal(signal: AbortSignal): number;
  borrowSignal(id: number, isAborted: boolean): AbortSignal;
  bytesFrom(base64: string): Uint8Array;
  bytesTo(bytes: Uint8Array): string;
}

export function encode(value: unknown, holder: Holder): Wire {
  if (value === undefined) return { t: 'undefined' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return { t: 'value', v: value };
  }
  if (typeof value === 'number') return { t: 'number', v: String(value) };
  if (typeof value === 'bigint') return { t: 'bigint', v: String(value) };
  if (typeof value === 'symbol') return { t: 'symbol', v: value.description ?? '' };
  const borrowed = holder.borrowed(value);
  if (borrowed !== undefined) return { t: 'yours', id: borrowed };
  if (typeof value === 'function') return { t: 'mine', id: holder.lend(value), kind: 'function' };
  return encodeObject(value, holder);
}

function encodeObject(value: object, holder: Holder): Wire {
  if (value instanceof Uint8Array) return { t: 'bytes', v: holder.bytesTo(value) };
  if (Array.isArray(value)) return { t: 'list', v: value.map((item) => encode(item, holder)) };
  if (value instanceof Date) return { t: 'date', v: value.getTime() };
  if (value instanceof URL) return { t: 'url', v: value.href };
  if (value instanceof Promise) return { t: 'mine', id: holder.lend(value), kind: 'promise' };
  if (value instanceof AbortSignal) {
    return { t: 'signal', id: holder.lendSignal(value), isAborted: value.aborted };
  }
  const { name, message } = value as Partial<Error>;
  const entries = () =>
    Object.entries(value).map(([key, item]) => [key, encode(item, holder)] as const);
  if (value instanceof Error) {
    const own = { name, message };
    return {
      t: 'error',
      v: [...Object.entries(own).map(([k, v]) => [k, encode(v, holder)] as const), ...entries()],
    };
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) {
    return { t: 'record', v: entries() };
  }
  const known = holder.isConstant(value) && { known: entries() };
  return { t: 'mine', id: holder.lend(value), kind: 'object', ...known };
}

export function decode(wire: Wire, holder: Holder): unknown {
  switch (wire.t) {
    case 'value':
      return wire.v;
    case 'undefined':
      return undefined;
    case 'number':
      return Number(wire.v);
    case 'bigint':
      return BigInt(wire.v);
    case 'bytes':
      return holder.bytesFrom(wire.v);
    case 'list':
      return wire.v.map((item) => decode(item, holder));
    case 'record':
      return decodeEntries(wire.v, holder);
    case 'date':
      return new Date(wire.v);
    case 'url':
      return new URL(wire.v);
    case 'symbol':
      return Reflect.get(Symbol, wire.v.replace(/^Symbol\./, ''));
    case 'error':
      return decodeError(wire.v, holder);
    case 'signal':
      return holder.borrowSignal(wire.id, wire.isAborted);
    case 'mine':
      return holder.borrow(wire.id, wire.kind, wire.known && decodeEntries(wire.known, holder));
    case 'yours':
      return holder.lent(wire.id);
  }
}

function decodeEntries(
  entries: readonly (readonly [string, Wire])[],
  holder: Holder,
): Record<string, unknown> {
  return Object.fromEntries(entries.map(([key, item]) => [key, decode(item, holder)]));
}

function decodeError(entries: readonly (readonly [string, Wire])[], holder: Holder): Error {
  const { name, message, ...facts } = decodeEntries(entries, holder);
  const error = Object.assign(new Error(String(message)), facts);
  Object.defineProperty(error, 'name', { value: name });
  return error;
}

/** What the page asks of Node; it waits for the answer. */
export type Request =
  | { readonly op: 'require'; readonly name: string }
  | { readonly op: 'process' }
  /** What is open in Node, by kind. */
  | { readonly op: 'census' }
  /** How many milliseconds Node has worked for its answers. */
  | { readonly op: 'worked' }
  | { readonly op: 'get'; readonly id: number; readonly key: Wire }
  | { readonly op: 'set'; readonly id: number; readonly key: Wire; readonly value: Wire }
  | { readonly op: 'apply'; readonly id: number; readonly self: Wire; readonly args: Wire }
  | { readonly op: 'construct'; readonly id: number; readonly args: Wire }
  | { readonly op: 'abort'; readonly id: number }
  /** What came of a function of the page; answered when it was called while the page was asking something. */
  | { readonly op: 'return'; readonly answer: Answer; readonly isAsking: boolean }
  /** The script that asked has run, so Node goes on and answers nothing. `handled` messages of it were dealt with. */
  | { readonly op: 'end-turn'; readonly handled: number };

export type Answer = { readonly ok: boolean; readonly value: Wire };

/** A function of the page is called; Node waits until it has run. */
export interface Call {
  readonly kind: 'called';
  readonly id: number;
  readonly args: Wire;
}

/** What the page gets when it asks: the answer, or a call that it has to return from first. */
export type Reply = Answer | Call;

/** The messages of Node to the page. */
export type Message =
  | Call
  | { readonly kind: 'settled'; readonly id: number; readonly ok: boolean; readonly value: Wire };
