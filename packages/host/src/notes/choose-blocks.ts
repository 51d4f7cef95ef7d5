import { type NoteScan, sectionsNamed, type ToolBlock } from '@errand/document';

/** Which blocks of a note a person asked for; without selectors, all of them. */
export interface BlockChoice {
  /** Lines a block covers, or `^id`s. */
  readonly blocks?: readonly string[];
  /** A heading as bindings name it: `Weather`, `## Weather`, `Trips > Weather`; blocks below nested headings count too. */
  readonly section?: string;
  /** Only those that never ran, failed, or whose request changed. */
  readonly stale?: boolean;
}

/** The blocks that were asked for, and what was asked for in vain. */
export interface ChosenBlocks {
  readonly chosen: readonly ToolBlock[];
  /** Selectors that match no block, as they were given. */
  readonly unmet: readonly string[];
  /** The note has no section of the name that was given. */
  readonly isSectionMissing: boolean;
}

/** Picks the blocks that were asked for, in the order of the note; only a section needs the note itself. */
export function chooseBlocks(
  blocks: readonly ToolBlock[],
  choice: BlockChoice,
  note?: NoteScan,
): ChosenBlocks {
  const selectors = choice.blocks?.map((selector) => ({
    selector,
    matches: blockMatcher(selector),
  }));
  const { section } = choice;
  const sections =
    section === undefined ? undefined : ((note && sectionsNamed(note, section)) ?? []);
  const below =
    sections === undefined
      ? blocks
      : blocks.filter(({ line }) =>
          sections.some(({ first, last }) => first <= line && line <= last),
        );
  const named =
    selectors === undefined
      ? below.filter((block) => !wasDenied(block))
      : below.filter((block) => selectors.some(({ matches }) => matches(block)));
  return {
    chosen: choice.stale ? named.filter((block) => block.state !== 'fresh') : named,
    isSectionMissing: sections?.length === 0,
    unmet: [
      ...(section !== undefined && below.length === 0 ? [section] : []),
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
