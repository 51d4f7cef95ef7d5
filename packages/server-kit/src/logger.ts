import type { Logger as PinoLogger } from 'pino';

/** Where a server writes what happens: standard error, as one JSON object per line. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;
