import { PassThrough } from 'node:stream';
import { createLogger } from '../logger.ts';

/** A log that nobody reads. */
export const silent = createLogger('silent', new PassThrough());
