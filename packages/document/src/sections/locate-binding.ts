import { isTypo } from '../is-typo.ts';
import { itemEndLine } from '../scan/contained-lines.ts';
import type { BlockId, NoteScan } from '../scan/note-scan.ts';
import type { Binding } from './binding.ts';
import { isHeadingTypo, matchHeading } from './match-heading.ts';
import { headingTitle, type OutlineSection } from './outline.ts';

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
  readonly isMissing: boolean;
}

export function locateBinding(
  binding: Binding,
  scan: NoteScan,
  outline: readonly OutlineSection[],
  lastCountedLine: number,
): LocatedBinding {
  const { target } = binding;
  const found = { binding, sections: [], ranges: [], problem: null, isMissing: false };
  switch (target.kind) {
    case 'note':
      return found;
    case 'lines': {
      if (target.first <= lastCountedLine) return { ...found, ranges: [target] };
      const what = `line ${target.first} in this note, which ends at line ${lastCountedLine}`;
      return { ...found, ...missing(binding, what, undefined) };
    }
    case 'heading': {
      const sections = matchHeading(outline, target.text);
      const what = `heading "${target.text}"`;
      if (sections.length === 0) {
        const meant = outline.find((section) => isHeadingTypo(section, target.text));
        const suggestion = meant && `"${headingTitle(meant)}"`;
        return { ...found, ...missing(binding, `${what} in this note`, suggestion) };
      }
      const lines = sections.map(({ heading }) => heading.line);
      return { ...found, sections, problem: repeated(what, lines) };
    }
    case 'block': {
      const named = scan.blockIds.filter(
        ({ within, blockLine }) => within === null && blockLine > 0,
      );
      const ids = named.filter(({ id }) => id === target.id);
      const what = `block ^${target.id}`;
      if (ids.length === 0) {
        const meant = named.find(({ id }) => isTypo(id, target.id) || isTypo(`^${id}`, target.id));
        return { ...found, ...missing(binding, `${what} in this note`, meant && `^${meant.id}`) };
      }
      const ranges = ids.map((id) => blockRange(id, scan, outline));
      const lines = ids.map(({ line }) => line);
      return { ...found, ranges, problem: repeated(what, lines) };
    }
  }
}

/**
 * What is not there. A binding of this note alone was meant for some part of it, so the parts that nothing
 * else binds are refused. One of many notes may well name what this one lacks, unless it nearly has it.
 */
function missing(
  { isOfThisNote }: Binding,
  what: string,
  suggestion: string | undefined,
): Pick<LocatedBinding, 'problem' | 'isMissing'> {
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  if (isOfThisNote) {
    const effect =
      'Until this is corrected, parts of the note that nothing else binds refuse every call.';
    return { problem: `No ${what}.${advice} ${effect}`, isMissing: true };
  }
  const problem = advice === '' ? null : `No ${what}; this binding is ignored here.${advice}`;
  return { problem, isMissing: true };
}

function repeated(what: string, lines: readonly number[]): string | null {
  if (lines.length === 1) return null;
  return `The note has the ${what} more than once, on lines ${lines.join(' and ')}. They refuse every call.`;
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
