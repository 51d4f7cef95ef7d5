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

/** A binding with the part of the note it applies to. */
export interface LocatedBinding {
  readonly binding: Binding;
  /** For headings. */
  readonly sections: readonly OutlineSection[];
  /** For blocks: as the note is. For lines: as counted without results. */
  readonly ranges: readonly LineRange[];
  /** Why the part cannot be determined. */
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
 * The target does not exist. A binding of this note alone was meant for some part of it, so all parts without another
 * binding refuse. A binding of many notes may name what this one lacks, unless a similar name exists.
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
