import {
  type Binding,
  type BindingSource,
  capitalized,
  describeMistake,
  describeOrigin,
} from './binding.ts';
import type { Decision } from './decision.ts';
import type { LocatedBinding } from './locate-binding.ts';
import { headingTitle, type OutlineSection } from './outline.ts';

/** One source of bindings with the places they bind; frontmatter comes before settings. */
export interface LocatedSource {
  readonly source: BindingSource;
  readonly located: readonly LocatedBinding[];
}

/** A line with everything that bindings refer to. */
export interface LineContext {
  readonly line: number;
  /** Its number without results. */
  readonly counted: number;
  /** The headings above it, innermost first. */
  readonly sections: readonly OutlineSection[];
}

/** The most specific binding decides: lines, block, deepest heading that reaches down, note; then settings. */
export function decideLine(sources: readonly LocatedSource[], place: LineContext): Decision {
  for (const { source, located } of sources) {
    if (source.fault !== null) return { kind: 'refused', message: source.fault };
    const decision = decideBy(located, place);
    if (decision.kind !== 'unbound') return decision;
  }
  return decideByMissing(sources);
}

/** The stricter of two decisions for one line: a refusal wins, and two different servers make a refusal. */
export function stricter(one: Decision, other: Decision): Decision {
  if (one.kind === 'refused' || other.kind === 'unbound') return one;
  if (other.kind === 'refused' || one.kind === 'unbound') return other;
  if (one.server === other.server) return one;
  return { kind: 'refused', message: conflict(one.binding, other.binding) };
}

/** A binding whose target is missing may have been meant for any unbound part of the note, so all of them refuse. */
function decideByMissing(sources: readonly LocatedSource[]): Decision {
  for (const { located } of sources) {
    for (const { binding, problem, isMissing } of located) {
      if (!isMissing || !binding.isOfThisNote || problem === null) continue;
      return { kind: 'refused', message: describeMistake(binding.origin, problem) };
    }
  }
  return { kind: 'unbound' };
}

function decideBy(located: readonly LocatedBinding[], place: LineContext): Decision {
  const covering = (kind: string, line: number) =>
    located.filter(
      ({ binding, ranges }) =>
        binding.target.kind === kind &&
        ranges.some(({ first, last }) => first <= line && line <= last),
    );
  const byLines = covering('lines', place.counted);
  if (byLines.length > 0) return settle(byLines, null);
  const byBlock = covering('block', place.line);
  if (byBlock.length > 0) return settle(byBlock, null);
  for (const [depth, section] of place.sections.entries()) {
    const byHeading = located.filter(
      ({ binding, sections }) => sections.includes(section) && (depth === 0 || binding.inherit),
    );
    if (byHeading.length > 0) return settle(byHeading, depth === 0 ? null : headingTitle(section));
  }
  return settle(
    located.filter(({ binding }) => binding.target.kind === 'note'),
    null,
  );
}

/** Combines bindings of one rank: they agree on a server, or the line refuses. */
export function settle(located: readonly LocatedBinding[], inheritedFrom: string | null): Decision {
  const [first] = located;
  if (first === undefined) return { kind: 'unbound' };
  for (const { binding, problem } of located) {
    const fault = binding.fault ?? problem;
    if (fault !== null) return { kind: 'refused', message: describeMistake(binding.origin, fault) };
  }
  const { binding } = first;
  const other = located.find((candidate) => candidate.binding.server !== binding.server)?.binding;
  if (other !== undefined) return { kind: 'refused', message: conflict(binding, other) };
  if (binding.server === null) return { kind: 'unbound' };
  return { kind: 'bound', server: binding.server, binding, inheritedFrom };
}

function conflict(a: Binding, b: Binding): string {
  return capitalized(
    `${describeOrigin(a.origin)} binds it to ${a.server} and ${describeOrigin(b.origin)} to ${b.server}. Remove one of the two.`,
  );
}
