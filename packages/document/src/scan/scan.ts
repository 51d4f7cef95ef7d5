import { dominantLineEnd, type LineEnd } from '../line-end.ts';
import { type Checkpoint, checkpointDistance } from './checkpoint.ts';
import { ContainerStack } from './container-stack.ts';
import { findFrontmatter } from './frontmatter.ts';
import { afterLineEnd } from './lines.ts';
import type { Frontmatter, NoteScan, Region, ScanResume } from './note-scan.ts';
import { readBlocks } from './read-blocks.ts';
import { findRegions, regionFinder } from './regions.ts';
import { countRecords, emptyRecords } from './scan-records.ts';

/** Finds the frontmatter, headings, fences, block ids and comments of a note. */
export function scan(text: string): NoteScan {
  return scanWithDistance(text, checkpointDistance(text.length));
}

/** The same, with that many characters between two checkpoints, at least. */
export function scanWithDistance(text: string, distance: number): NoteScan {
  const frontmatter = findFrontmatter(text);
  const records = emptyRecords();
  const start = firstCheckpoint(text, frontmatter);
  const { lastLine, checkpoints } = readBlocks(text, start, records, { distance });
  return assembleScan(text, lastLine, frontmatter, { records, checkpoints, distance });
}

/** Where reading begins: after the byte order mark or the frontmatter. */
export function firstCheckpoint(text: string, frontmatter: Frontmatter | null): Checkpoint {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  return {
    position: frontmatter === null ? start : afterLineEnd(text, frontmatter.to),
    line: (frontmatter?.endLine ?? 0) + 1,
    levels: new ContainerStack().snapshot(),
    leaf: { kind: 'none' },
    counts: countRecords(emptyRecords()),
  };
}

/** Builds the scan from the records; regions are known only at the end. */
export function assembleScan(
  text: string,
  lineCount: number,
  frontmatter: Frontmatter | null,
  resume: ScanResume,
): NoteScan {
  const { records } = resume;
  const regions = findRegions(text, records);
  const withRegions = <Block extends InRegion>(blocks: readonly Block[]): readonly Block[] => {
    if (regions.all.length === 0) return blocks;
    const regionAt = regionFinder(regions.all);
    return blocks.map((block) => {
      const within = regionAt(block.from);
      return within === null ? block : { ...block, within };
    });
  };
  let lineEnd: LineEnd | undefined;
  return {
    text,
    lineCount,
    get lineEnd() {
      // Computed on demand: only writers need it, and counting takes as long as scanning.
      lineEnd ??= dominantLineEnd(text);
      return lineEnd;
    },
    frontmatter,
    headings: withRegions(records.headings),
    rules: withRegions(records.rules),
    fences: withRegions(records.fences),
    blockIds: withRegions(records.blockIds),
    comments: [...records.comments, ...regions.comments].sort((a, b) => a.from - b.from),
    math: regions.math,
    liveResults: regions.liveResults,
    resume,
  };
}

interface InRegion {
  readonly from: number;
  readonly within: Region | null;
}
