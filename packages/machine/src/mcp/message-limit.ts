import { HostError } from '@errand/host';
import { jsonExcess, maxLevels, maxValues } from '@errand/wire';

const mebibyte = 1024 * 1024;

/** The largest message taken, in bytes. A longer one fails its call, not the connection. */
export const longestMessage = 64 * mebibyte;

/** The most parts that the answer of a tool may have. */
export const maxParts = 10_000;

/** The failure of a call whose answer is over the limit. */
export function tooLarge(server: string, bytes: number): HostError {
  const size = `${Math.ceil(bytes / mebibyte)} MiB or more; ${longestMessage / mebibyte} MiB is`;
  return tooMuch(server, `${size} the most that can be taken`);
}

/** The failure of a call whose answer has more parts than are taken. */
export function tooManyParts(server: string, parts: number): HostError {
  return tooMuch(server, `${parts} parts; ${maxParts} are the most that can be taken`);
}

/** The failure of a call whose answer is nested too deep or has too many values; nothing when it is neither. */
export function excessOf(server: string, text: string): HostError | undefined {
  switch (jsonExcess(text)) {
    case 'levels':
      return tooMuch(server, `JSON nested deeper than ${maxLevels} levels, which is too deep`);
    case 'values':
      return tooMuch(
        server,
        `more than ${maxValues.toLocaleString('en')} values, which is too many`,
      );
    case undefined:
      return undefined;
  }
}

function tooMuch(server: string, what: string): HostError {
  const message = `Server "${server}" answered with ${what}. Ask it for less at once.`;
  return new HostError('result_too_large', message, { server });
}
