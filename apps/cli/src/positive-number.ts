import { InvalidArgumentError } from 'commander';

/** An option's value that must be a whole number, 1 or more. */
export function positiveNumber(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('Use a whole number, 1 or more.');
}
