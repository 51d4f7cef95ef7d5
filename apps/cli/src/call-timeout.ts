import { InvalidArgumentError } from 'commander';

/** An option's seconds as the milliseconds of a call's deadline. */
export function callTimeout(value: string): number {
  const milliseconds = Math.round(Number(value) * 1000);
  if (milliseconds >= 1000 && milliseconds <= 300_000) return milliseconds;
  throw new InvalidArgumentError('Use a number of seconds from 1 to 300.');
}
