import { InvalidArgumentError } from 'commander';

/** Parses a port number; 0 means any free port. */
export function portNumber(value: string): number {
  const port = Number(value);
  if (value.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('Use a number from 0 to 65535.');
}
