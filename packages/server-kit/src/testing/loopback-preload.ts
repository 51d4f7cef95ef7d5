import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

// Loaded before a program: it refuses every connection that would leave this computer, and writes it down.

const log = process.env.ERRAND_LOOPBACK_LOG ?? '';
const loopback = /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;

function refuse(host: unknown, what: string): Error | undefined {
  if (typeof host !== 'string' || host === '' || loopback.test(host)) return undefined;
  if (log !== '') appendFileSync(log, `${what} ${host}\n`);
  return Object.assign(new Error(`A test may not reach ${host}.`), { code: 'ERR_NOT_LOOPBACK' });
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  // Node itself hands over the arguments as one list.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const options = (typeof first === 'object' && first !== null ? first : {}) as {
    host?: string;
    path?: string;
  };
  const host = typeof first === 'object' ? options.host : second;
  const error = options.path == null ? refuse(host, 'connect') : undefined;
  if (error !== undefined) {
    // Later, as the network would: some callers listen for errors only then.
    setImmediate(() => this.destroy(error));
    return this;
  }
  return Reflect.apply(connect, this, args);
} as typeof connect;

const { send, connect: connectDatagram } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (this: dgram.Socket, ...args: unknown[]) {
  const error = args
    .slice(1)
    .map((each) => refuse(each, 'send'))
    .find((each) => each !== undefined);
  if (error !== undefined) throw error;
  return Reflect.apply(send, this, args);
} as typeof send;
dgram.Socket.prototype.connect = function (this: dgram.Socket, ...args: unknown[]) {
  const error = refuse(args[1], 'send');
  if (error !== undefined) throw error;
  return Reflect.apply(connectDatagram, this, args);
} as typeof connectDatagram;

type Resolving = Record<string, (...args: unknown[]) => unknown>;
for (const [resolver, isPromise] of [
  [dns, false],
  [dns.promises, true],
] as const) {
  const functions = resolver as unknown as Resolving;
  for (const name of Object.keys(functions).filter((each) =>
    /^(lookup|resolve|reverse)/.test(each),
  )) {
    const original = functions[name];
    if (typeof original !== 'function') continue;
    functions[name] = (...args) => {
      const error = net.isIP(String(args[0])) ? undefined : refuse(args[0], name);
      if (error === undefined) return Reflect.apply(original, resolver, args);
      if (isPromise) return Promise.reject(error);
      const callback = args.at(-1) as (error: Error) => void;
      return process.nextTick(callback, error);
    };
  }
}
