import { itemEndLine } from '../scan/contained-lines.ts';
import type { BlockId, NoteScan } from '../scan/note-scan.ts';
import type { Binding } from './binding.ts';
import { matchHeading } from './match-heading.ts';
import type { OutlineSection } from './outline.ts';

/** Lines of the note, from the first to the last. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Where a binding's part of the note is. */
export interface LocatedBinding {
  readonly binding: Binding;
  /** For headings. */
  readonly sections: readonly OutlineSection[];
  /** For blocks: as the note is. For lines: as counted without results. */
  readonly ranges: readonly LineRange[];
  /** Why it is not clear where it is, when it is not. */
  readonly problem: string | null;
}

export function locateBinding(
  binding: Binding,
  scan: NoteScan,
  outline: readonly OutlineSection[],
): LocatedBinding {
  const { target } = binding;
  switch (target.kind) {
    case 'note':
      return { binding, sections: [], ranges: [], problem: null };
    case 'lines':
      return { binding, sections: [], ranges: [target], problem: null };
    case 'heading': {
      const sections = matchHeading(outline, target.text);
      const lines = sections.map(({ heading }) => heading.line);
      return {
        binding,
        sections,
        ranges: [],
        problem: countProblem(`heading "${target.text}"`, lines),
      };
    }
    case 'block': {
      const ids = scan.blockIds.filter(
        ({ id, within, blockLine }) => id === target.id && within === null && blockLine > 0,
      );
      const ranges = ids.map((id) => blockRange(id, scan, outline));
      const lines = ids.map(({ line }) => line);
      return { binding, sections: [], ranges, problem: countProblem(`block ^${target.id}`, lines) };
    }
  }
}

function countProblem(what: string, lines: readonly number[]): string | null {
  if (lines.length === 1) return null;
  if (lines.length === 0) return `The note has no ${what}.`;
  return `The note has the ${what} more than once, on lines ${lines.join(' and ')}.`;
}

function blockRange(id: BlockId, scan: NoteScan, outline: readonly OutlineSection[]): LineRange {
  const first = id.blockLine;
  if (id.names === 'heading') {
    const section = outline.find(({ heading }) => heading.line === first);
    return { first, last: section?.endLine ?? id.line };
  }
  if (id.names !== 'item' || id.container === null) return { first, last: id.line };
  return { first: id.container.line, last: itemEndLine(scan.text, id.to, id.line, id.container) };
}
