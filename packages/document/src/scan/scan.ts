import { BlockParser } from './block-parser.ts';
import { findFrontmatter } from './frontmatter.ts';
import { afterLineEnd } from './lines.ts';
import type { Frontmatter, NoteScan, Region } from './note-scan.ts';
import { findRegions, regionFinder } from './regions.ts';
import type { ScanRecords } from './scan-records.ts';

/** Finds the frontmatter, headings, fences, block ids and comments of a note. */
export function scan(text: string): NoteScan {
  const frontmatter = findFrontmatter(text);
  const parser =
    frontmatter === null
      ? new BlockParser(text, text.charCodeAt(0) === 0xfeff ? 1 : 0, 1)
      : new BlockParser(text, afterLineEnd(text, frontmatter.to), frontmatter.endLine + 1);
  const lineCount = parser.run();
  return assemble(text, lineCount, frontmatter, parser.records);
}

function assemble(
  text: string,
  lineCount: number,
  frontmatter: Frontmatter | null,
  records: ScanRecords,
): NoteScan {
  const regions = findRegions(text, records);
  const place = <Block extends Placed>(blocks: readonly Block[]): readonly Block[] => {
    const regionAt = regionFinder(regions.all);
    return blocks.map((block) => {
      const within = regionAt(block.from);
      return within === block.within ? block : { ...block, within };
    });
  };
  return {
    text,
    lineCount,
    frontmatter,
    headings: place(records.headings),
    fences: place(records.fences),
    blockIds: place(records.blockIds),
    comments: [...records.comments, ...regions.comments].sort((a, b) => a.from - b.from),
    math: regions.math,
    liveResults: regions.liveResults,
  };
}

interface Placed {
  readonly from: number;
  readonly within: Region | null;
}
