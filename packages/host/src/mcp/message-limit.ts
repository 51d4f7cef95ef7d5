import { HostError } from '../host-error.ts';

const mebibyte = 1024 * 1024;

/** The largest message taken, in bytes. A longer one fails its call, not the connection. */
export const longestMessage = 64 * mebibyte;

/** The failure of a call whose answer is over the limit. */
export function tooLarge(server: string, bytes: number): HostError {
  return new HostError(
    'result_too_large',
    `Server "${server}" answered with ${Math.ceil(bytes / mebibyte)} MiB or more; ${longestMessage / mebibyte} MiB is the most that can be taken. Ask it for less at once.`,
    { server },
  );
}
