import type { Writable } from 'node:stream';
import pino, { type Logger as PinoLogger } from 'pino';

/** The server's log: standard error, one JSON object per line. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** The log levels, from the quietest to the most verbose. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

const unsentBytes = 1024 * 1024;

/**
 * Makes a logger that never holds the server up: when nobody reads, lines are dropped. (A
 * destination of pino's own would wait for the reader when the process ends.)
 */
export function createLogger(level: (typeof logLevels)[number], to: Writable): Logger {
  const write = (line: string) => {
    if (to.writableLength < unsentBytes) to.write(line);
  };
  return pino({ level, base: null }, { write });
}
