import { HostError } from '../host-error.ts';
import { quoted } from '../text/one-line.ts';
import type { BlockChoice, ChosenBlocks } from './choose-blocks.ts';

/** A person asked for a section or for blocks that the note does not have. */
export function noSuchBlock(
  path: string,
  { section }: BlockChoice,
  { unmet, isSectionMissing }: ChosenBlocks,
): HostError {
  if (section !== undefined && isSectionMissing) {
    const message = `${path} has no section ${quoted(section)}.`;
    const advice = [{ kind: 'list-sections', note: path }] as const;
    return new HostError('block_invalid', message, {}, { advice });
  }
  return new HostError(
    'block_invalid',
    `${path} has no tool block at ${unmet.join(', ')}.`,
    {},
    { advice: [{ kind: 'list-blocks', note: path }] },
  );
}
