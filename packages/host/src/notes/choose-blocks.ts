import type { ToolBlock } from '@errand/document';

/** Which blocks of a note a person asked for; without selectors, all of them. */
export interface BlockChoice {
  /** Lines a block covers, or `^id`s. */
  readonly blocks?: readonly string[];
  /** A heading's text, with or without its `#`s; blocks below nested headings count too. */
  readonly section?: string;
  /** Only those that never ran, failed, or whose request changed. */
  readonly stale?: boolean;
}

interface ChosenBlocks {
  readonly chosen: readonly ToolBlock[];
  /** Selectors that match no block, as they were given. */
  readonly unmet: readonly string[];
}

/** Picks the blocks that were asked for, in the order of the note. */
export function chooseBlocks(blocks: readonly ToolBlock[], choice: BlockChoice): ChosenBlocks {
  const selectors = choice.blocks?.map((selector) => ({
    selector,
    matches: blockMatcher(selector),
  }));
  const heading = choice.section === undefined ? undefined : headingText(choice.section);
  const below = blocks.filter(
    ({ section }) =>
      heading === undefined || section.some((title) => headingText(title) === heading),
  );
  const named =
    selectors === undefined
      ? below.filter((block) => !wasDenied(block))
      : below.filter((block) => selectors.some(({ matches }) => matches(block)));
  return {
    chosen: choice.stale ? named.filter((block) => block.state !== 'fresh') : named,
    unmet: [
      ...(heading !== undefined && below.length === 0 ? [choice.section ?? ''] : []),
      ...(selectors ?? [])
        .filter(({ matches }) => !below.some(matches))
        .map(({ selector }) => selector),
    ],
  };
}

/** A call that a person did not allow a model runs only when they name it, or make it their own by a change. */
function wasDenied({ result, req }: ToolBlock): boolean {
  return result?.code === 'approval_denied' && result.req === req;
}

function blockMatcher(selector: string): (block: ToolBlock) => boolean {
  if (selector.startsWith('^')) return ({ id }) => id === selector.slice(1);
  const line = Number(selector);
  return (block) => block.line <= line && line <= block.endLine;
}

function headingText(heading: string): string {
  return heading.replace(/^#+\s+/, '').trim();
}
