import { nearestName, type ToolBlock } from '@errand/document';
import { HostError } from '../host-error.ts';
import { quoted } from '../text/one-line.ts';
import type { BlockChoice, ChosenBlocks } from './choose-blocks.ts';

/** A person asked for a section or for blocks that the note does not have. */
export function noSuchBlock(
  path: string,
  { section }: BlockChoice,
  { unmet, isSectionMissing }: Pick<ChosenBlocks, 'unmet' | 'isSectionMissing'>,
  blocks: readonly ToolBlock[],
): HostError {
  if (section !== undefined && isSectionMissing) {
    const message = `${path} has no section ${quoted(section)}.`;
    const advice = [{ kind: 'list-sections', note: path }] as const;
    return new HostError('block_invalid', message, {}, { advice });
  }
  const ids = blocks.flatMap(({ id }) => (id === null ? [] : [id]));
  const wanted = unmet.find((selector) => selector.startsWith('^'));
  const meant = wanted === undefined ? undefined : nearestName(wanted.slice(1), ids);
  return new HostError(
    'block_invalid',
    `${path} has no tool block at ${unmet.join(', ')}.${meant === undefined ? '' : ` Did you mean ^${meant}?`}`,
    {},
    { advice: [{ kind: 'list-blocks', note: path }] },
  );
}
