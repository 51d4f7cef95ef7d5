import { StartError } from './start-error.ts';

/** Every bound of a running server; sizes in bytes, times in milliseconds. */
export interface Limits {
  /** Sessions at once; the next one is refused. */
  readonly maxClients: number;
  /** How long a session may be idle before it is dropped. */
  readonly clientTimeout: number;
  /** Resident memory: a warning at 80 %, from 85 % on calls wait or are refused, at 90 % no new session. */
  readonly memoryLimit: number;
  /** One message on standard input. */
  readonly lineBytes: number;
  /** One HTTP request body. */
  readonly bodyBytes: number;
  /** One tool result as it is sent; common clients close the connection at 10 MiB. */
  readonly answerBytes: number;
  /** What may wait unsent for one slow reader before it is cut off. */
  readonly unsentBytes: number;
  /** For the headers of an HTTP request to arrive. */
  readonly headersTimeout: number;
  /** For a whole HTTP request to arrive. */
  readonly requestTimeout: number;
  /** For an HTTP connection to stay open without a request. */
  readonly idleTimeout: number;
  /** Between signs of life on an open event stream. */
  readonly keepAlive: number;
  /** For a call to wait until there is memory for it. */
  readonly callPatience: number;
  /** For running calls to finish when the server stops. */
  readonly stopGrace: number;
}

const mebibyte = 1024 * 1024;

const defaults: Limits = {
  maxClients: 100,
  clientTimeout: 5 * 60_000,
  memoryLimit: 512 * mebibyte,
  lineBytes: 16 * mebibyte,
  bodyBytes: 4 * mebibyte,
  answerBytes: 9 * mebibyte,
  unsentBytes: 32 * mebibyte,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  idleTimeout: 30_000,
  keepAlive: 15_000,
  callPatience: 10_000,
  stopGrace: 5_000,
};

/** The defaults, changed by the environment, changed by what the program itself says. */
export function readLimits(
  env: Readonly<Record<string, string | undefined>>,
  overrides: Partial<Limits> = {},
): Limits {
  const maxClients = readWhole(env, 'MCP_MAX_CLIENTS', 'a number of clients such as 100');
  const clientTimeout = readWhole(env, 'MCP_CLIENT_TIMEOUT', 'milliseconds such as 300000');
  const memoryLimit = readSize(env, 'MCP_MEMORY_LIMIT');
  return {
    ...defaults,
    ...(maxClients !== undefined && { maxClients }),
    ...(clientTimeout !== undefined && { clientTimeout }),
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...overrides,
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

function readWhole(env: Environment, name: string, expected: string): number | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw unusable(name, text, expected);
}

const units: Readonly<Record<string, number>> = { k: 1024, m: mebibyte, g: 1024 * mebibyte };

function readSize(env: Environment, name: string): number | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  const [, digits, unit] = /^(\d+)\s*([kmg]?)(?:i?b)?$/i.exec(text) ?? [];
  const value = Number(digits) * (units[unit?.toLowerCase() ?? ''] ?? 1);
  if (value > 0 && Number.isSafeInteger(value)) return value;
  throw unusable(name, text, 'a size such as 512M or 536870912');
}

function unusable(name: string, text: string, expected: string): StartError {
  return new StartError('invalid_setting', `${name} is "${text}". Set it to ${expected}.`);
}
