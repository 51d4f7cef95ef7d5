import { InvalidArgumentError } from 'commander';

/** An option's value that must be a whole number from 1 on. */
export function positiveNumber(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('Write a whole number from 1 on.');
}
