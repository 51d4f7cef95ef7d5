import { HostError } from '../host-error.ts';

/** A person asked for blocks that the note does not have. */
export function noSuchBlock(path: string, unmet: readonly string[]): HostError {
  return new HostError(
    'block_invalid',
    `${path} has no tool block at ${unmet.join(', ')}. See its blocks with: errand blocks ${JSON.stringify(path)}`,
  );
}
