import { HostError } from '../host-error.ts';

/** A person asked for blocks that the note does not have. */
export function noSuchBlock(path: string, unmet: readonly string[]): HostError {
  return new HostError(
    'block_invalid',
    `${path} has no tool block at ${unmet.join(', ')}.`,
    {},
    { advice: [{ kind: 'list-blocks', note: path }] },
  );
}
